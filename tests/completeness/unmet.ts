import { JSON_BODY_BYTES_MAX } from '../../server/kernel/json_body_limit.ts'
import type { Direction, Limit, Word } from './values.ts'

/** A word of an enumeration that no request can cause, and the reason. */
interface UnmetWord {
  readonly words: readonly Word[]
  /** Names of the properties with the word. */
  readonly names: readonly string[]
  /** The direction to which this is limited. */
  readonly direction?: Direction
  readonly why: string
}

// If you are here because a word or limit seems impossible to meet: each rule gives the reason why no request can. If a test could meet it
// with some work, it belongs in unmet_values.json instead, which may only shrink.
const unmetWords: readonly UnmetWord[] = [
  { names: ['list_format'], words: ['numbers', 'letters', 'roman'], why: 'set in an editor, which the service does not have' },
  { names: ['type'], words: ['link_mention'], why: 'pasted in an editor; requests cannot hold it' },
  { names: ['type'], words: ['html_artifact'], why: 'made by runtimes of other servers of the protocol' },
  { names: ['type'], words: ['page_content_first'], why: 'a cover that is chosen in an editor' },
  { names: ['status'], words: ['transcription_paused'], why: 'a live recording, which is not part of the API' },
  { names: ['surface'], words: ['mcp'], why: 'tasks of a tool server that is built upon the API' },
  {
    names: ['type'],
    words: ['complete'],
    why: 'sent by other servers of the protocol; complete responses of this one omit the field',
  },
  {
    names: ['type'],
    words: ['agent_id'],
    why: 'no request puts a record into an agent: its instructions are a text, or a page elsewhere',
  },
  { names: ['type_labels'], words: ['setup'], why: 'an agent is set up in an editor' },
  {
    names: ['code'],
    words: ['directory_not_found'],
    why: 'returned only by external agents, which this release does not have; clients of other servers receive it',
  },
  {
    direction: 'response',
    names: ['required_capability'],
    words: ['interact_with_agents'],
    why: 'no operation requires it: without it, a change of a page starts no agent',
  },
  { direction: 'event', names: ['type'], words: ['team'], why: 'there are no teams yet that things could lie in' },
  {
    direction: 'event',
    names: ['type'],
    words: ['success'],
    why: 'the result of an import that failed, in the schema of all results',
  },
  { names: ['code', 'error'], words: ['invalid_scope', 'test_env_error'], why: 'reserved' },
]

/** Query parameters with lists have a name for each entry: an empty list cannot be sent. */
const QUERY_LISTS: readonly string[] = ['agent_type', 'agent_ids', 'created_by']

/** Only sent in forms and query strings, in which a parameter without a value counts as missing. */
const FORM_FIELDS: readonly string[] = ['state', 'csrf_token']

/** Parts of paths; an empty one would give another path. */
const PATH_PARTS: readonly string[] = ['task_id']

/** Why no request or response can contain the word under this name; undefined if one can. */
export function wordUnmetBecause(direction: Direction, name: string, word: Word): string | undefined {
  const applies = (rule: UnmetWord): boolean => rule.direction === undefined || rule.direction === direction
  return unmetWords.find((rule) => applies(rule) && rule.names.includes(name) && rule.words.includes(word))?.why
}

/** Why no request can exceed the limit under this name; undefined if one can. */
export function limitUnmetBecause(name: string, { keyword, value }: Limit): string | undefined {
  if (keyword === 'maxLength' && value >= JSON_BODY_BYTES_MAX) return 'the whole body is too long before the text is'
  if (keyword === 'minItems' && QUERY_LISTS.includes(name)) return 'a query holds no empty list'
  if (keyword === 'minLength' && PATH_PARTS.includes(name)) return 'an empty part of a path makes another path'
  if (keyword === 'minLength' && FORM_FIELDS.includes(name)) return 'a form field without a value counts as left out'
  return undefined
}
