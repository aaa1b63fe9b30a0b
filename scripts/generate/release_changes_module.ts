/** Step 7, beside the page: the changes of each release as data, for programs that explain what an upgrade changes. */

import { isObject } from '../../server/kernel/is_object.ts'
import type { ReleaseStep } from './releases/steps.ts'
import { banner, typescriptLiteral } from './text.ts'
import type { ReleaseSpec, VersionChange } from './versions.ts'

/** `release_changes.ts`: the changes, oldest first. */
export function releaseChangesModule(releases: readonly ReleaseSpec[]): string {
  const rows = releases.flatMap(({ date, changes }) => changes.map((change) => `  ${typescriptLiteral(rowOf(date, change))},`))
  return `${banner('What each release date changed.')}
/** A change. \`old\` applies before its date, \`new\` from then on. */
export interface ReleaseChangeRow {
  readonly id: string;
  readonly date: string;
  /** One line. */
  readonly about: string;
  readonly where: string;
  readonly old: string;
  readonly new: string;
  /** \`elsewhere\`: only in responses of other deployments. */
  readonly kind: 'request' | 'response' | 'both' | 'availability' | 'elsewhere';
  readonly operations: readonly string[] | 'all';
  /** Names of properties and values that the change concerns. */
  readonly names: readonly string[];
}

export const releaseChanges: readonly ReleaseChangeRow[] = [
${rows.join('\n')}
];
`
}

function rowOf(date: string, { id, about, where, old, new: now, kind, operations, contract }: VersionChange): object {
  const names = [...new Set(contract.flatMap(namesIn))].toSorted()
  const texts = Object.entries({ about, where, old, new: now }).map(([key, text]) => [key, text.replaceAll(/\s+/g, ' ')])
  return { id, date, ...Object.fromEntries(texts), kind, operations, names }
}

/** Names of properties, and values of enums, that a step adds, removes or renames. */
function namesIn(step: ReleaseStep): string[] {
  if ('define' in step) return Object.values(step.define).flatMap(schemaNames)
  if (!('in' in step)) return []
  const { rename = {}, add = {}, remove = [], apart = [], unnamed, merge = {} } = step
  const renamed = Object.entries(rename).flat()
  return [
    ...renamed,
    ...schemaNames({ properties: add }),
    ...remove,
    ...apart,
    ...(unnamed ? [unnamed] : []),
    ...schemaNames(merge),
  ]
}

/** Property names and values of a schema, and of those inside it. */
function schemaNames(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(schemaNames)
  if (!isObject(schema)) return []
  const { properties, const: value, enum: values = [], ...others } = schema
  const inner = isObject(properties) ? properties : {}
  const texts = [value, ...(Array.isArray(values) ? values : [])].filter((one) => typeof one === 'string')
  return [
    ...Object.keys(inner),
    ...texts,
    ...Object.values(inner).flatMap(schemaNames),
    ...Object.values(others).flatMap(schemaNames),
  ]
}
