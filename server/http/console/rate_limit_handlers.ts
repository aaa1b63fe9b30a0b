import { describeOwnAccount, listLimitedBots } from '../../domain/administration/index.ts'
import type { Database } from '../../domain/shared/index.ts'
import type { ConsoleHandlers, ConsoleResponse } from './console_calls.ts'

const BOTS_MAX = 100

type Limit = ConsoleResponse<'listRateLimits'>['results'][number]
type Limited = Pick<Limit, 'kind' | 'id' | 'name' | 'workspace_id'> & { readonly rateLimit?: number | undefined }

/** The operation about rate limits. */
export const rateLimitHandlers: ConsoleHandlers<'listRateLimits'> = {
  async listRateLimits({ deps, session }) {
    const limited = await limitedOf(deps.database, session)
    const states = await deps.rateLimiter.look(
      limited.map(({ kind, id, rateLimit }) => (kind === 'workspace' ? { workspaceId: id } : { userId: id, rateLimit })),
    )
    const results = (states ?? []).flatMap(({ quota, remaining, secondsLeft }, index): Limit[] => {
      const one = limited[index]
      return one === undefined
        ? []
        : [
            {
              object: 'rate_limit',
              ...{ kind: one.kind, id: one.id, name: one.name, workspace_id: one.workspace_id },
              ...{ limit: quota.requests, used: quota.requests - remaining },
              ...{ window_seconds: quota.seconds, reset_seconds: secondsLeft },
            },
          ]
    })
    return { object: 'list', type: 'rate_limit', is_enforced: states !== undefined, results }
  },
}

/** The person, and each owned workspace with its connections. */
function limitedOf(
  database: Database,
  { personId, email }: { readonly personId: string; readonly email: string },
): Promise<Limited[]> {
  return database.read(async (db) => {
    const limited: Limited[] = [{ kind: 'person', id: personId, name: email, workspace_id: null }]
    const { workspaces } = await describeOwnAccount(db, personId)
    for (const { id, name } of workspaces.filter(({ role }) => role === 'owner')) {
      limited.push({ kind: 'workspace', id, name, workspace_id: id })
      for (const { botId, name: botName, rateLimit } of await listLimitedBots(db, id, BOTS_MAX))
        limited.push({ kind: 'connection', id: botId, name: botName, workspace_id: id, rateLimit })
    }
    return limited
  })
}
