import type { AgentFilter, AgentTimeFilter, SingleAgentFilter } from '../../../generated/types.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { AgentTest } from '../../store/agent_tests.ts'
import { meOf, parseOperandForm, type Actor } from '../shared/index.ts'
import { agentIdOf } from './agent.ts'

/** The largest number of a version. */
const VERSION_MAX = 2 ** 31 - 1

/**
 * The test that agents must pass.
 * @param path the path of the filter in the request
 * @throws ServiceError `validation_error` for a date that does not exist
 */
export function parseAgentFilter(filter: AgentFilter, actor: Actor, path: string): AgentTest {
  if ('and' in filter)
    return { kind: 'all', tests: filter.and.map((entry, index) => parseAgentFilter(entry, actor, `${path}.and[${index}]`)) }
  if ('or' in filter)
    return { kind: 'any', tests: filter.or.map((entry, index) => parseAgentFilter(entry, actor, `${path}.or[${index}]`)) }
  return parseSingle(filter, actor, path)
}

function parseSingle(filter: SingleAgentFilter, actor: Actor, path: string): AgentTest {
  switch (filter.property) {
    case 'id':
      return { kind: 'id', among: [agentIdOf(filter.id.equals)] }
    case 'agent_type':
      return { kind: 'type', among: [filter.string.equals] }
    case 'created_by':
      return { kind: 'creator', among: [creatorOf(filter.people.contains, actor)] }
    case 'created_time':
    case 'last_run_at':
      return parseTimes(filter, `${path}.date`)
    case 'favorited':
      return { kind: 'favorite', userId: meOf(actor), isFavorite: filter.checkbox.equals }
    case 'connections':
      return parseHost(filter.mcp_server.contains.toLowerCase())
    case 'status':
      return { kind: 'status', among: [...new Set(filter.status.in)] }
    case 'model_mode':
      return { kind: 'model', mode: filter.select.equals }
    case 'agent_version':
      return parseVersion(filter.number.equals)
  }
}

/** @param text the id of a user, or `me` */
export function creatorOf(text: string, actor: Actor): string {
  return text === 'me' ? meOf(actor) : canonicalId(text)
}

function parseTimes({ property, date }: AgentTimeFilter, path: string): AgentTest {
  const timeOf = (text: string | undefined, name: string): number | undefined =>
    text === undefined ? undefined : Date.parse(parseOperandForm(text, `${path}.${name}`))
  return {
    kind: 'time',
    column: property === 'created_time' ? 'created_time' : 'last_run_time',
    after: timeOf(date.after, 'after'),
    before: timeOf(date.before, 'before'),
  }
}

/** Hosts are stored one per line, so a text with a line break matches none. */
function parseHost(part: string): AgentTest {
  return part.includes('\n') ? { kind: 'never' } : { kind: 'host', part }
}

function parseVersion(number: number): AgentTest {
  return Number.isInteger(number) && Math.abs(number) <= VERSION_MAX ? { kind: 'version', number } : { kind: 'never' }
}

/** Whether any part of a test matches deleted agents. */
export function namesDeleted(test: AgentTest): boolean {
  if (test.kind === 'all' || test.kind === 'any') return test.tests.some(namesDeleted)
  return test.kind === 'status' && test.among.includes('deleted')
}
