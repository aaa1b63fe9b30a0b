import { createWorkspaceClient, LimitExceededError, WorkspaceServiceError } from '../../../../client/src/index.ts'

// Reads a list of a server, and prints how that ended: a process of its own, so that its memory can be measured.
const [baseUrl = ''] = process.argv.slice(2)
const service = createWorkspaceClient({ baseUrl, token: 't', longestWaitMilliseconds: 50, limits: { items: 2_000 } })
try {
  for await (const _user of service.each('listUsers'));
  console.log('read to its end')
} catch (error) {
  if (!(error instanceof WorkspaceServiceError)) throw error
  console.log(error instanceof LimitExceededError ? error.message : error.code)
}
