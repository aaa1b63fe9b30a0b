import { createWorkspaceClient, LimitExceededError, WorkspaceServiceError } from '../../../../client/src/index.ts'

// Reads a list of each server, and prints the result: in a separate process, so that its memory can be measured.
for (const baseUrl of process.argv.slice(2)) {
  const service = createWorkspaceClient({ baseUrl, token: 't', longestWaitMilliseconds: 50, limits: { items: 500 } })
  try {
    for await (const _user of service.users.list());
    console.log('read to its end')
  } catch (error) {
    if (!(error instanceof WorkspaceServiceError)) throw error
    console.log(error instanceof LimitExceededError ? error.message : error.code)
  }
}
