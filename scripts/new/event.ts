import { parse } from 'yaml'
import { at, requireNewComponent } from './contract_names.ts'
import type { FileDraft } from './file_draft.ts'
import { addBefore, addEntry } from './edits.ts'
import type { Kind } from './kind.ts'
import { UsageError } from './usage_error.ts'
import { pascalOf } from './words.ts'
import { isObject } from '../../server/kernel/is_object.ts'

const UNION = 'spec/events/schemas/WebhookEvent.yaml'
const TYPES = 'spec/resources/webhook_subscriptions/schemas/WebhookEventType.yaml'

/** `npm run new event comment.resolved` */
export const event: Kind = {
  parameters: ['type'],
  says: 'an event about an entity that already has events, such as: comment.resolved',
  callers:
    'callers: a new event does not break programs, because they subscribe to each type; event_types.ts lists the versions that have it',
  draft(draft, [type = '']) {
    const model = modelOf(draft, type)
    const payload = `${pascalOf(type)}WebhookPayload`
    for (const name of [payload, `${pascalOf(type)}Event`]) requireNewComponent(draft, name)
    draft.create(`spec/events/schemas/${payload}.yaml`, payloadText(draft, type, model))
    draft.create(`spec/events/examples/${pascalOf(type)}Event.yaml`, exampleText(draft, type, model))
    draft.create(`spec/events/${fileName(type)}.yaml`, requestText(type))
    const request = `${type}:\n  $ref: ./events/${fileName(type)}.yaml`
    draft.change('spec/openapi.yaml', (text) => addEntry(text, ['webhooks'], request, model))
    draft.change(UNION, (text) => addEntry(text, ['oneOf'], `- $ref: ./${payload}.yaml`))
    draft.change(UNION, (text) => addEntry(text, ['discriminator', 'mapping'], `${type}: ./${payload}.yaml`))
    draft.change(TYPES, (text) => addEntry(text, ['enum'], `- ${type}`))
    addToServer(draft, type, model)
    addTestRow(draft, type)
    return [
      `the descriptions of the operations that cause ${type} say that they do`,
      'recordEvent is called in server/domain/ where the change is made, in its transaction',
    ]
  },
}

/**
 * The model: an event of the same entity.
 * @throws UsageError if there is none, or the type is in use
 */
function modelOf(draft: FileDraft, type: string): string {
  if (!/^[a-z][a-z_]*(?:\.[a-z][a-z_]*)+$/.test(type))
    throw new UsageError(
      `${type} is not a valid event type: it consists of an entity and what happened to it, as in comment.resolved.`,
    )
  const mapping = at(parse(draft.read(UNION)), 'discriminator', 'mapping')
  const known = isObject(mapping) ? Object.keys(mapping) : []
  if (known.includes(type)) throw new UsageError(`${type} exists already: ${UNION}.`)
  const [entity = ''] = type.split('.')
  const models = [`${entity}.deleted`, `${entity}.created`].filter((one) => known.includes(one))
  const [model] = models
  if (model !== undefined) return model
  const entities = [...new Set(known.map((one) => one.split('.')[0]))].join(', ')
  throw new UsageError(
    `Events about ${entities} can be scaffolded; the first event about another entity has to be written by hand.`,
  )
}

const fileName = (type: string): string => type.replaceAll('.', '_')

function payloadText(draft: FileDraft, type: string, model: string): string {
  return draft
    .read(`spec/events/schemas/${pascalOf(model)}WebhookPayload.yaml`)
    .replace(/^description: (?:[|>].*\n(?: .*\n)+|.*\n)/m, `description: "TODO: say what the event ${type} reports."\n`)
    .replace(`const: ${model}`, `const: ${type}`)
    .replace(/^(?=  data:)/m, '  # TODO: choose what it reports.\n')
}

function exampleText(draft: FileDraft, type: string, model: string): string {
  return draft
    .read(`spec/events/examples/${pascalOf(model)}Event.yaml`)
    .replace(/^summary: .*$/m, 'summary: "TODO: say in a few words what has happened."')
    .replace(/^(?=  id:)/m, '  # TODO: take the id of a record from example_workspace.md, or add a row for a new one there.\n')
    .replace(`type: ${model}`, `type: ${type}`)
}

function requestText(type: string): string {
  return `post:
  operationId: on${pascalOf(type)}
  tags:
    - Webhooks
  summary: "TODO: say in a few words what has happened."
  description: "TODO: say when it is sent, whether it waits for others, and which capabilities it needs."
  security: []
  parameters:
    - $ref: ./parameters/ServiceSignature.yaml
  requestBody:
    required: true
    description: The event.
    content:
      application/json:
        schema:
          $ref: ./schemas/${pascalOf(type)}WebhookPayload.yaml
        examples:
          event:
            $ref: ./examples/${pascalOf(type)}Event.yaml
  responses:
    2XX:
      description: Received. The body of the response is ignored; anything but 2xx within 10 seconds counts as a failure.
`
}

/** Adds the type to the server's tables of all types. */
function addToServer(draft: FileDraft, type: string, model: string): void {
  const tables = {
    'server/domain/events/change.ts': 'name what must be known of the change and cannot be looked up later.',
    'server/domain/events/change_forms.ts': 'say which details of it are stored.',
    'server/domain/events/payload.ts': 'say what `data` holds.',
    'server/domain/events/webhooks/event_types.ts': 'say in which api versions it exists.',
  }
  for (const [file, left] of Object.entries(tables)) draft.change(file, (text) => addLikeModel(text, type, model, left))
}

function addLikeModel(text: string, type: string, model: string, left: string): string {
  const [line] = new RegExp(`^.*'${model.replaceAll('.', '\\.')}': .*\n`, 'm').exec(text) ?? []
  if (line === undefined) throw new Error(`A table of the server has no line for ${model}`)
  return text.replace(line, () => `${line}  // TODO: ${left}\n${line.replace(model, type)}`)
}

function addTestRow(draft: FileDraft, type: string): void {
  draft.change('tests/events/support/event_rows.ts', (text) => {
    const head = text.indexOf('export const eventRows')
    const rest = addBefore(text.slice(head), '}\n\n', rowText(type))
    return text.slice(0, head) + rest
  })
}

function rowText(type: string): string {
  return `  '${type}': {
    // TODO: say which request causes it, and cause it.
    title: 'a request',
    prepare: () => Promise.reject(new Error('Nothing causes ${type}.')),
  },
`
}
