/** Step 6, beside the types: what a server has to answer. Every operation whose answer is JSON, with what its handler receives and returns. */

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
    .filter((placed) => answersOf(document, placed).length > 0)
    .map((placed) => memberOf(document, placed, imported))
  return `${banner('What a server has to answer: one handler for each operation of the contract.')}
import type {
${['operations', ...[...imported].toSorted()].map((name) => `  ${name},`).join('\n')}
} from './types.ts';

/** An operation without parameters of this kind. */
export type None = Record<string, never>;

/** A form with its files replaced by something else. */
type FormOf<Form, File> = { [Part in keyof Form]: Form[Part] extends Blob ? File : Form[Part] };

/** What each operation receives, by its wire names, and what its answer holds. @typeParam File stands for a file of a form */
export interface Calls<File> {
${members.join('\n')}
}

/** Operations that are answered with JSON; the others are pages for people. */
export type HandledId = keyof Calls<never>;

/** One function for each operation. @typeParam Context what comes with every request besides */
export type Handlers<Context, File> = {
  [Id in HandledId]: (
    call: Context & Readonly<Pick<Calls<File>[Id], 'path' | 'query' | 'body'>>,
  ) => Promise<Calls<File>[Id]['answer']>;
};
`
}

function memberOf(document: Document, placed: PlacedOperation, imported: Set<string>): string {
  const { operation, method, path } = placed
  const type = `operations['${operation.operationId}']`
  const parameters = parametersOf(document, placed)
  const named = (media: MediaType | undefined, place: string): string => {
    const schema = media?.schema
    const name = isReference(schema) ? schemaNameOf(schema.$ref) : undefined
    if (name !== undefined) imported.add(name)
    return name ?? `${type}${place}`
  }
  const answers = answersOf(document, placed).map(([status, media]) =>
    named(media, `['responses'][${status}]['content']['${JSON_TYPE}']`),
  )
  return `  /** ${operation.summary ?? operation.operationId}: \`${method.toUpperCase()} ${path}\` */
  ${operation.operationId}: {
    path: ${has(parameters, 'path') ? `${type}['parameters']['path']` : 'None'};
    query: ${has(parameters, 'query') ? `NonNullable<${type}['parameters']['query']>` : 'None'};
    body: ${bodyOf(document, placed, named)};
    answer: ${[...new Set(answers)].join(' | ')};
  };`
}

function has(parameters: readonly ParameterObject[], place: ParameterObject['in']): boolean {
  return parameters.some((parameter) => parameter.in === place)
}

/** A body in JSON that is left out counts as `{}`, so there always is one. */
function bodyOf(
  document: Document,
  { operation }: PlacedOperation,
  named: (media: MediaType | undefined, place: string) => string,
): string {
  const content = requestBodyOf(document, operation)?.content ?? {}
  const place = `['requestBody']['content']`
  if (content[JSON_TYPE]) return named(content[JSON_TYPE], `${place}['${JSON_TYPE}']`)
  return content[FORM_TYPE] ? `FormOf<${named(content[FORM_TYPE], `${place}['${FORM_TYPE}']`)}, File>` : 'undefined'
}

/** The JSON answers for success and for a task that was started. */
function answersOf(document: Document, { operation }: PlacedOperation): (readonly [status: string, media: MediaType])[] {
  return DONE.flatMap((status) => {
    const response = operation.responses[status]
    const media = response && resolve<ResponseObject>(document, response).content?.[JSON_TYPE]
    return media ? [[status, media] as const] : []
  })
}
