import { operations } from '../../../generated/operations.ts'
import {
  describeOwnAccount,
  findRefusals,
  findVisibleRefusal,
  REFUSED_REQUESTS_MAX,
  type NamedRefusal,
} from '../../domain/administration/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import { curlCommand } from '../curl_command.ts'
import type { ConsoleHandlers, ConsoleResponse } from './console_calls.ts'
import { timeText } from './time_text.ts'

const LISTED_MAX = 100

export const requestHandlers: ConsoleHandlers<'listRefusedRequests' | 'retrieveRefusedRequest'> = {
  async listRefusedRequests({ deps, session, query }) {
    const found = await deps.database.read(async (db) =>
      findRefusals(db, query, LISTED_MAX + 1, await viewerOf(db, session.personId)),
    )
    const results = found.slice(0, LISTED_MAX).map((one) => present(one, session.personId))
    return { object: 'list', type: 'refused_request', results, has_more: found.length > LISTED_MAX }
  },
  async retrieveRefusedRequest({ deps, session, path }) {
    const found = await deps.database.read(async (db) =>
      findVisibleRefusal(db, canonicalId(path.request_id), await viewerOf(db, session.personId)),
    )
    if (!found) throw new ServiceError('object_not_found', { message: MISSING })
    const state = bodyState(found, session.personId)
    const body = state === 'shown' ? found.body : null
    const { method, path: target } = found
    const command = curlCommand({
      method,
      url: `${deps.baseUrl()}${target}`,
      versionHeader: deps.headers.nameOf('Version'),
      body: body ?? undefined,
    })
    return {
      object: 'refused_request_details',
      refused_request: present(found, session.personId),
      body_state: state,
      body,
      command,
    }
  },
}

const MISSING =
  `No refused request with this id is visible to you. ` +
  `The service keeps the latest ${REFUSED_REQUESTS_MAX.toLocaleString('en')}; a new one appears within two seconds of its response.`

type Viewer = Parameters<typeof findVisibleRefusal>[2]
type Db = Parameters<typeof findVisibleRefusal>[0]

async function viewerOf(db: Db, personId: string): Promise<Viewer> {
  const { workspaces } = await describeOwnAccount(db, personId)
  return { personId, ownedWorkspaceIds: workspaces.filter(({ role }) => role === 'owner').map(({ id }) => id) }
}

function bodyState(refusal: NamedRefusal, personId: string): ConsoleResponse<'retrieveRefusedRequest'>['body_state'] {
  if (refusal.body === null) return 'not_stored'
  return isOfAnother(refusal, personId) ? 'of_another_person' : 'shown'
}

/** Whether another person sent it: owners may have no access to the content that the person wrote. */
function isOfAnother({ member }: NamedRefusal, personId: string): boolean {
  return member !== undefined && member.id !== personId
}

function present(one: NamedRefusal, personId: string): ConsoleResponse<'listRefusedRequests'>['results'][number] {
  const { requestId, time, status, code, method, path, operation, workspace, connection, member, message, places } = one
  return {
    object: 'refused_request',
    request_id: requestId,
    time: timeText(time),
    ...{ status, code, method, path, operation },
    message: isOfAnother(one, personId) ? null : message,
    reference: Object.hasOwn(operations, operation) ? `/docs/operations/${operation}` : null,
    workspace: workspace ?? null,
    connection: connection ?? null,
    member: member ?? null,
    locations: [...places],
  }
}
