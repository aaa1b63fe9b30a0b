/** Step 6, beside the types: every operation with JSON responses, with the types that its handler receives and returns. */

import {
  isReference,
  operationsOf,
  parametersOf,
  requestBodyOf,
  resolve,
  schemaNameOf,
  type Document,
  type MediaType,
  type ParameterObject,
  type PlacedOperation,
  type ResponseObject,
} from './document.ts'
import { banner } from './text.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'
const DONE = ['200', '202']

/** `handlers.ts`: `Calls`, in the order of the table of contents, and `Handlers`, which your own server implements. */
export function handlersModule(document: Document): string {
  const imported = new Set<string>()
  const members = operationsOf(document)
    .filter((placed) => responsesOf(document, placed).length > 0)
    .map((placed) => memberOf(document, placed, imported))
  return `${banner('The handlers of a server: one for each operation of the contract.')}
import type {
${['operations', ...[...imported].toSorted()].map((name) => `  ${name},`).join('\n')}
} from './types.ts';

/** An operation without parameters of this kind. */
export type None = Record<string, never>;

/** A form with its files replaced by something else. */
type FormOf<Form, File> = { [Part in keyof Form]: Form[Part] extends Blob ? File : Form[Part] };

/** The input of each operation, by wire names, and the body of its response. @typeParam File a file of a form */
export interface Calls<File> {
${members.join('\n')}
}

/** Operations with JSON responses; the others are pages for people. */
export type HandledId = keyof Calls<never>;

/** One function for each operation. @typeParam Context what comes with every request besides */
export type Handlers<Context, File> = {
  [Id in HandledId]: (
    call: Context & Readonly<Pick<Calls<File>[Id], 'path' | 'query' | 'body'>>,
  ) => Promise<Calls<File>[Id]['response']>;
};
`
}

function memberOf(document: Document, placed: PlacedOperation, imported: Set<string>): string {
  const { operation, method, path } = placed
  const type = `operations['${operation.operationId}']`
  const parameters = parametersOf(document, placed)
  const named = (media: MediaType | undefined, location: string): string => {
    const schema = media?.schema
    const name = isReference(schema) ? schemaNameOf(schema.$ref) : undefined
    if (name !== undefined) imported.add(name)
    return name ?? `${type}${location}`
  }
  const responses = responsesOf(document, placed).map(([status, media]) =>
    named(media, `['responses'][${status}]['content']['${JSON_TYPE}']`),
  )
  return `  /** ${operation.summary ?? operation.operationId}: \`${method.toUpperCase()} ${path}\` */
  ${operation.operationId}: {
    path: ${has(parameters, 'path') ? `${type}['parameters']['path']` : 'None'};
    query: ${has(parameters, 'query') ? `NonNullable<${type}['parameters']['query']>` : 'None'};
    body: ${bodyOf(document, placed, named)};
    response: ${[...new Set(responses)].join(' | ')};
  };`
}

function has(parameters: readonly ParameterObject[], location: ParameterObject['in']): boolean {
  return parameters.some((parameter) => parameter.in === location)
}

/** An omitted JSON body counts as `{}`, so handlers always receive one. */
function bodyOf(
  document: Document,
  { operation }: PlacedOperation,
  named: (media: MediaType | undefined, location: string) => string,
): string {
  const content = requestBodyOf(document, operation)?.content ?? {}
  const location = `['requestBody']['content']`
  if (content[JSON_TYPE]) return named(content[JSON_TYPE], `${location}['${JSON_TYPE}']`)
  return content[FORM_TYPE] ? `FormOf<${named(content[FORM_TYPE], `${location}['${FORM_TYPE}']`)}, File>` : 'undefined'
}

/** The JSON responses for success and for a started task. */
function responsesOf(document: Document, { operation }: PlacedOperation): (readonly [status: string, media: MediaType])[] {
  return DONE.flatMap((status) => {
    const response = operation.responses[status]
    const media = response && resolve<ResponseObject>(document, response).content?.[JSON_TYPE]
    return media ? [[status, media] as const] : []
  })
}
