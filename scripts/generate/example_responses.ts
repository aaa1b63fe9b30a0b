/** `example_responses.js` and `example_names.ts`: the response examples of every operation, for fakes. */

import { isReference, operationsOf, type Document, type ReferenceObject, type ResponseObject } from './document.ts'
import { banner } from './text.ts'

const EXAMPLES = '#/components/examples/'
const RESPONSES = '#/components/responses/'

type ResponseRow = readonly [status: number, name: string, example: string, mediaType: string]

/** The module and its types. It contains every example once, even if several operations share it. */
export function exampleResponsesFiles(document: Document): Readonly<Record<string, string>> {
  const responses = Object.fromEntries(
    operationsOf(document).map(({ operation }) => [operation.operationId, responsesOf(document, operation.responses)]),
  )
  const used = new Set(Object.values(responses).flatMap((list) => list.map(([, , example]) => example)))
  const examples = Object.entries(document.components.examples ?? {}).filter(([name]) => used.has(name))
  const title = 'The response examples of the contract.'
  const values = examples.map(([name, { value }]) => `  ${name}: ${JSON.stringify(value)},`)
  const lists = Object.entries(responses).map(([id, list]) => `  ${id}: ${JSON.stringify(list)},`)
  return {
    'example_responses.js': `${banner(title)}
/** Bodies, by the names of examples. */
export const exampleBodies = {
${values.join('\n')}
};

/** The responses of each operation: status, name, body and media type. The first one is the default. */
export const exampleResponses = {
${lists.join('\n')}
};
`,
    'example_names.ts': `${banner(title)}
/** The names of the responses of each operation, without errors. */
export interface ExampleNames {
${Object.entries(responses)
  .map(([id, list]) => `  readonly ${id}: ${union(list.filter(([status]) => status < 400).map(([, name]) => name))};`)
  .join('\n')}
}
`,
    'example_responses.d.ts': `${banner(title)}
import type { ExampleNames } from './example_names.ts';

/** Bodies, by the names of examples. */
export declare const exampleBodies: Readonly<Record<string, unknown>>;

/** The responses of each operation: status, name, body and media type. The first one is the default. */
export declare const exampleResponses: Readonly<
  Record<keyof ExampleNames, readonly (readonly [status: number, name: string, example: string, mediaType: string])[]>
>;
`,
  }
}

function responsesOf(document: Document, responses: Readonly<Record<string, ResponseObject | ReferenceObject>>): ResponseRow[] {
  return Object.entries(responses).flatMap(([status, declared]) => {
    const response = isReference(declared) ? document.components.responses?.[declared.$ref.slice(RESPONSES.length)] : declared
    return Object.entries(response?.content ?? {}).flatMap(([mediaType, { examples = {} }]) =>
      Object.entries(examples).flatMap(([name, example]): ResponseRow[] =>
        isReference(example) ? [[Number(status), name, example.$ref.slice(EXAMPLES.length), mediaType]] : [],
      ),
    )
  })
}

function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : [...new Set(names)].map((name) => `'${name}'`).join(' | ')
}
