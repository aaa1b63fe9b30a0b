/** `example_answers.js` and `example_names.ts`: the answers of every operation that the contract shows as examples, for fakes. */

import { isReference, operationsOf, type Document, type ReferenceObject, type ResponseObject } from './document.ts'
import { banner } from './text.ts'

const EXAMPLES = '#/components/examples/'
const RESPONSES = '#/components/responses/'

type Answer = readonly [status: number, name: string, example: string, mediaType: string]

/** The module and its types. Every example is in it once, however many operations it belongs to. */
export function exampleAnswersFiles(document: Document): Readonly<Record<string, string>> {
  const answers = Object.fromEntries(
    operationsOf(document).map(({ operation }) => [operation.operationId, answersOf(document, operation.responses)]),
  )
  const used = new Set(Object.values(answers).flatMap((list) => list.map(([, , example]) => example)))
  const examples = Object.entries(document.components.examples ?? {}).filter(([name]) => used.has(name))
  const title = 'The answers that the contract shows as examples.'
  const values = examples.map(([name, { value }]) => `  ${name}: ${JSON.stringify(value)},`)
  const lists = Object.entries(answers).map(([id, list]) => `  ${id}: ${JSON.stringify(list)},`)
  return {
    'example_answers.js': `${banner(title)}
/** Bodies, by the names of examples. */
export const exampleBodies = {
${values.join('\n')}
};

/** The answers of each operation: status, name, body and media type. The first one is what it answers unless asked for another. */
export const exampleAnswers = {
${lists.join('\n')}
};
`,
    'example_names.ts': `${banner(title)}
/** The names of the answers of each operation that are not errors. */
export interface ExampleNames {
${Object.entries(answers)
  .map(([id, list]) => `  readonly ${id}: ${union(list.filter(([status]) => status < 400).map(([, name]) => name))};`)
  .join('\n')}
}
`,
    'example_answers.d.ts': `${banner(title)}
import type { ExampleNames } from './example_names.ts';

/** Bodies, by the names of examples. */
export declare const exampleBodies: Readonly<Record<string, unknown>>;

/** The answers of each operation: status, name, body and media type. The first one is what it answers unless asked for another. */
export declare const exampleAnswers: Readonly<
  Record<keyof ExampleNames, readonly (readonly [status: number, name: string, example: string, mediaType: string])[]>
>;
`,
  }
}

function answersOf(document: Document, responses: Readonly<Record<string, ResponseObject | ReferenceObject>>): Answer[] {
  return Object.entries(responses).flatMap(([status, declared]) => {
    const response = isReference(declared) ? document.components.responses?.[declared.$ref.slice(RESPONSES.length)] : declared
    return Object.entries(response?.content ?? {}).flatMap(([mediaType, { examples = {} }]) =>
      Object.entries(examples).flatMap(([name, example]): Answer[] =>
        isReference(example) ? [[Number(status), name, example.$ref.slice(EXAMPLES.length), mediaType]] : [],
      ),
    )
  })
}

function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : [...new Set(names)].map((name) => `'${name}'`).join(' | ')
}
