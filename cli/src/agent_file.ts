import { readFileSync } from 'node:fs'
import type { AgentSettings, StoredModel } from '@workspace-service/server/store/agents.ts'
import { parseId } from './command_context.ts'
import { usageError } from './exit_codes.ts'
import { fileProblem } from './file_problem.ts'

/** Settings of an agent, from options and a file; an empty value removes a text. */
export interface AgentSettingOptions {
  readonly name?: string
  readonly description?: string
  readonly instructions?: string
  readonly instructionsPage?: string
  readonly icon?: string
  readonly model?: string
  readonly file?: string
}

type Mutable<T> = { -readonly [Name in keyof T]?: T[Name] }

/**
 * The settings in the options and in the file of `--file`; options override the file. @throws CommandError that names the invalid value and
 * its place
 */
export async function agentSettingsOf(options: AgentSettingOptions): Promise<Partial<AgentSettings>> {
  const settings: Mutable<AgentSettings> = options.file === undefined ? {} : await settingsInFile(options.file)
  if (options.name !== undefined) settings.name = options.name
  if (options.description !== undefined) settings.description = options.description === '' ? null : options.description
  if (options.instructions !== undefined) {
    settings.instructions = options.instructions === '' ? null : options.instructions
    settings.instructionsPageId = null
  }
  if (options.instructionsPage !== undefined) {
    settings.instructionsPageId = options.instructionsPage === '' ? null : parseId(options.instructionsPage, 'a page')
    settings.instructions = null
  }
  if (options.icon !== undefined) settings.icon = options.icon === '' ? null : await parseIcon(iconOf(options.icon), '--icon')
  if (options.model !== undefined)
    settings.model = options.model === 'auto' ? { mode: 'auto' } : { mode: 'pinned', id: options.model }
  return settings
}

function iconOf(text: string): object {
  return URL.canParse(text) ? { type: 'external', external: { url: text } } : { type: 'emoji', emoji: text }
}

/** Fields of the file, which have the names and forms of the API's responses. */
const FIELDS = {
  name: (settings, value) => (settings.name = parseText(value, 'name') ?? ''),
  description: (settings, value) => (settings.description = parseText(value, 'description')),
  instructions: (settings, value) => (settings.instructions = parseText(value, 'instructions')),
  instructions_page_id: (settings, value) => {
    const text = parseText(value, 'instructions_page_id')
    settings.instructionsPageId = text === null ? null : parseId(text, 'a page')
  },
  icon: async (settings, value) => (settings.icon = value === null ? null : await parseIcon(value, 'icon')),
  model: async (settings, value) => (settings.model = (await described('AgentModel', value, 'model')) as StoredModel),
  connections: async (settings, value) => (settings.connections = await listOf('AgentConnection', value, 'connections')),
  triggers: async (settings, value) => (settings.triggers = await listOf('AgentTrigger', value, 'triggers')),
} satisfies Record<string, (settings: Mutable<AgentSettings>, value: unknown) => unknown>

async function settingsInFile(path: string): Promise<Mutable<AgentSettings>> {
  const settings: Mutable<AgentSettings> = {}
  for (const [name, value] of Object.entries(readObject(path))) {
    if (!Object.hasOwn(FIELDS, name))
      throw usageError(`${path} has an unknown field "${name}". The known fields are: ${Object.keys(FIELDS).join(', ')}.`)
    await FIELDS[name as keyof typeof FIELDS](settings, value)
  }
  return settings
}

function readObject(path: string): object {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const problem = fileProblem(error)
    if (problem !== undefined) throw usageError(problem)
    throw usageError(`${path} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
  throw usageError(`${path}: expected a JSON object, found another JSON value.`)
}

function parseText(value: unknown, name: string): string | null {
  if (value === null || typeof value === 'string') return value
  throw usageError(`${name}: expected a string or null.`)
}

async function listOf(part: 'AgentConnection' | 'AgentTrigger', value: unknown, name: string): Promise<unknown[]> {
  if (!Array.isArray(value)) throw usageError(`${name}: expected an array.`)
  for (const [index, entry] of value.entries()) await described(part, entry, `${name}[${index}]`)
  return value
}

/** Parses an icon, which is given as in the API's responses, and stored as in the database: a custom emoji only by its id. */
async function parseIcon(value: unknown, name: string): Promise<unknown> {
  const icon = (await described('AgentIcon', value, name)) as {
    readonly type: string
    readonly custom_emoji?: { readonly id: string }
  }
  if (icon.type === 'file')
    throw usageError(
      `${name}: files stored by the service are not accepted. Use an emoji, a custom emoji or the URL of an image.`,
    )
  return icon.custom_emoji
    ? { type: 'custom_emoji', custom_emoji: { id: parseId(icon.custom_emoji.id, 'an emoji', 'emoji list') } }
    : icon
}

/** Checks a value against its schema. The contract is large, so it is loaded only when needed. */
async function described(
  part: 'AgentConnection' | 'AgentIcon' | 'AgentModel' | 'AgentTrigger',
  value: unknown,
  name: string,
): Promise<unknown> {
  const { componentProblem } = await import('@workspace-service/server/contract/component_problem.ts')
  const problem = componentProblem(part, value)
  if (problem !== undefined) throw usageError(`${name} is not a valid ${part}: ${problem}.`)
  return value
}
