import { isTimeZone } from '../../kernel/time_zones.ts'
import { coverForm, fileForm, iconForm, iconForms, richTextForm } from './common_forms.ts'
import {
  anything,
  countForm,
  flagForm,
  id,
  list,
  members,
  nullable,
  numberForm,
  object,
  oneOfTexts,
  record,
  tagged,
  text,
  where,
  type Form,
} from './form.ts'
import { anyValue, propertyForms } from './property_types.ts'

/** A column whose texts are JSON. */
interface JsonColumn {
  readonly form: Form
  /** The substitute for a damaged value: the one that gives the fewest rights and shows the least. */
  readonly instead: unknown
}

const schema = list(tagged(propertyForms))

/** The form of the properties of a data source, one of which must be the title. */
const properties: Form = (value) => {
  const hasTitle = Array.isArray(value) && value.some((one: { readonly type?: unknown } | null) => one?.type === 'title')
  return schema(value) ?? (hasTitle ? undefined : { path: '', expected: 'a list with a title', found: value })
}

const TITLE_ONLY = [{ id: 'title', name: 'Name', description: null, type: 'title' }]

const displayName = tagged({
  integration: object({ userId: id }),
  user: object({ userId: id }),
  custom: object({ name: text }),
})

const settings = object({
  filter: nullable(members),
  sorts: nullable(list(members)),
  quickFilters: nullable(anything),
  configuration: members,
})

const author = nullable(object({ type: text, id: text }))

/** The content of the events of sessions, by event type. */
export const eventColumns: Readonly<Record<string, JsonColumn>> = {
  'user.message': {
    form: object({ text, files: list(object({ id }, { name: text })), metadata: nullable(record(text)), author }),
    instead: { text: '', files: [], metadata: null, author: null },
  },
  'agent.message': {
    form: object({ text, author, model: nullable(text) }),
    instead: { text: '', author: null, model: null },
  },
  'agent.thinking': { form: object({ text }), instead: { text: '' } },
  'agent.tool_use': { form: object({ tool: text }), instead: { tool: 'unknown' } },
  'agent.tool_result': {
    form: object({ useId: text, tool: text, isError: flagForm }),
    instead: { useId: '', tool: 'unknown', isError: true },
  },
  'session.status': {
    form: object({ status: text }, { required_actions: list(members), error: members, usage: members, artifacts: list(members) }),
    instead: { status: 'failed' },
  },
}

const event = object({ id: text, workspace_id: text, type: text, entity: object({ id: text, type: text }) })
const texts = list(text)
const moment = where('a time', (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)))
const timeZone = where('a time zone', (value) => typeof value === 'string' && isTimeZone(value))
const agentIcon = tagged({
  ...iconForms,
  custom_agent_avatar: object({ custom_agent_avatar: object({ static_url: text, animated_url: text }) }),
})
const NO_RIGHTS: readonly string[] = []
const model = object({ mode: oneOfTexts(['auto', 'pinned']) })
/** The form of a schedule: only the parts that determine its next time. */
const schedule = object(
  { frequency: oneOfTexts(['hour', 'day', 'week', 'month', 'year']), interval: countForm },
  {
    ...{ weekdays: texts, monthdays: list(numberForm), week_numbers: list(numberForm), hour: numberForm, minute: numberForm },
    ...{
      timezone: timeZone,
      start_date: moment,
      end: tagged({ date: object({ end_at: moment }), count: object({ occurrences: countForm }) }),
    },
  },
)
const artifact = tagged({ page: object({ url: text, title: text }), html_artifact: object({ url: text, page_url: text }) })
const toolResult = object({ isError: flagForm }, { artifact })

/** All columns with JSON texts. Excluded is the content of blocks and of events, whose forms depend on their types. */
export const jsonColumns = {
  'agent_schedules.schedule': { form: schedule, instead: null },
  'agents.icon': { form: nullable(agentIcon), instead: null },
  'agents.connections': { form: list(members), instead: [] },
  'agents.triggers': { form: list(members), instead: [] },
  'async_tasks.request': { form: anything, instead: null },
  'async_tasks.result': { form: members, instead: {} },
  'async_tasks.error': { form: members, instead: {} },
  'authorization_codes.page_ids': { form: list(id), instead: [] },
  'comments.rich_text': { form: richTextForm, instead: [] },
  'comments.display_name': { form: displayName, instead: { type: 'custom', name: '' } },
  'comments.attachments': { form: list(fileForm), instead: [] },
  'connections.capabilities': { form: texts, instead: NO_RIGHTS },
  'connections.redirect_uris': { form: texts, instead: NO_RIGHTS },
  'connections.allowed_workspaces': { form: list(id), instead: NO_RIGHTS },
  'data_sources.description': { form: richTextForm, instead: [] },
  'data_sources.icon': { form: nullable(iconForm), instead: null },
  'data_sources.properties': { form: properties, instead: TITLE_ONLY },
  'data_sources.retired': { form: texts, instead: [] },
  'databases.description': { form: richTextForm, instead: [] },
  'databases.icon': { form: nullable(iconForm), instead: null },
  'databases.cover': { form: nullable(coverForm), instead: null },
  'file_uploads.import_result': { form: members, instead: null },
  'idempotency_keys.headers': { form: record(text), instead: {} },
  'jobs.payload': { form: members, instead: {} },
  'outbox.details': { form: members, instead: {} },
  'outbox.listeners': { form: record(nullable(text)), instead: {} },
  'pages.icon': { form: nullable(iconForm), instead: null },
  'pages.cover': { form: nullable(coverForm), instead: null },
  'pages.row_values': { form: record(anyValue), instead: {} },
  'refused_requests.places': { form: texts, instead: [] },
  'refused_requests.body': { form: anything, instead: null },
  'session_calls.arguments': { form: members, instead: {} },
  'session_calls.result': { form: toolResult, instead: { isError: true, content: null } },
  'session_calls.metadata': { form: record(text), instead: null },
  'session_calls.artifact': { form: artifact, instead: null },
  'session_turns.agent': {
    form: object({ name: text, instructions: text, instructionsPageId: nullable(id), model }),
    instead: { name: '', instructions: '', instructionsPageId: null, model: { mode: 'auto' } },
  },
  'sessions.agent_version': { form: object({ id, number: numberForm, published_at: text }), instead: null },
  'sessions.error': { form: members, instead: { code: 'internal_error', message: 'The stored error is damaged.' } },
  'sessions.models': { form: object({ type: oneOfTexts(['auto', 'pinned']) }), instead: { type: 'auto' } },
  'sessions.tool_types': { form: texts, instead: [] },
  'sessions.trigger_chain': { form: list(id), instead: [] },
  'sessions.writers': { form: list(text), instead: [] },
  'views.settings': { form: settings, instead: { filter: null, sorts: null, quickFilters: null, configuration: {} } },
  'webhook_deliveries.event': { form: event, instead: null },
  'webhook_subscriptions.event_types': { form: texts, instead: [] },
} as const satisfies Readonly<Record<string, JsonColumn>>

export type JsonPlace = keyof typeof jsonColumns

/** The JSON column of a table; undefined for any other column. */
export function jsonColumn(table: string, column: string): JsonColumn | undefined {
  const place = `${table}.${column}`
  return Object.hasOwn(jsonColumns, place) ? jsonColumns[place as JsonPlace] : undefined
}
