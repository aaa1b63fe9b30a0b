/** Removes findings that follow from others, so that a fault is reported once. */

import { basename } from 'node:path'
import type { Contract } from '../generate/contract.ts'
import { partsOf, pathsLeadingTo } from '../generate/remove_broken_references.ts'
import { SourceMap } from '../generate/source_map.ts'
import { EXAMPLES_RULE, type Problem } from './problem.ts'

/** Rules of the project that read schemas through references. */
const THROUGH_REFERENCES: ReadonlySet<string> = new Set([
  'object-constant',
  'pagination',
  'payload-unions',
  'read-only-members',
  'tagged-unions',
])

/** Rules whose findings make examples of a schema invalid. */
const OF_SCHEMAS: ReadonlySet<string> = new Set([
  'no-duplicated-enum-values',
  'no-enum-type-mismatch',
  'payload-unions',
  'property-names',
  'reference-siblings',
  'tagged-unions',
])

/**
 * Removes findings that follow from others: those of rules that read a wrong structure or a missing required key through references, those
 * of examples with a faulty schema, and all but the first with the same cause.
 */
export async function withoutConsequences(
  contract: Contract,
  ofSources: readonly Problem[],
  ofBundle: readonly Problem[],
): Promise<Problem[]> {
  const malformed = ofSources.filter(({ rule }) => rule === 'struct')
  const lacking = ofBundle.filter(({ rule }) => rule === 'required-properties')
  const isSound = await soundFiles(contract, [...malformed, ...lacking])
  const isFaulty = new Set(malformed.map(({ file }) => file))
  const left = ofBundle.filter(({ tool, rule, file }) => {
    if (tool === 'spectral' && isFaulty.has(file)) return false
    return isSound(file) || !(THROUGH_REFERENCES.has(rule) || rule === EXAMPLES_RULE)
  })
  const ofSchemas = [...ofSources, ...left].filter(({ rule }) => OF_SCHEMAS.has(rule))
  const isSchemaSound = await soundFiles(contract, ofSchemas)
  return onePerExample(left.filter(({ rule, file }) => rule !== EXAMPLES_RULE || isSchemaSound(file)))
}

/** Whether a file leads to none of the files with these problems. */
async function soundFiles({ root, files, document }: Contract, problems: readonly Problem[]): Promise<(file: string) => boolean> {
  if (problems.length === 0) return () => true
  const sources = new SourceMap(root, files)
  const faulty = new Set(problems.map(({ file }) => file))
  const parts = partsOf(document).map(async ({ path: location, value }) => {
    const [key] = Object.keys(value ?? {})
    return { location, file: await sources.file(key === undefined ? location : [...location, key]) }
  })
  const starts = (await Promise.all(parts)).filter(({ file }) => faulty.has(file)).map(({ location }) => JSON.stringify(location))
  const leading = await Promise.all(pathsLeadingTo(document, new Set(starts)).map((location) => sources.file(location)))
  const unsound = new Set([...faulty, ...leading])
  return (file) => !unsound.has(file)
}

/** Maximum number of files named in one finding. */
const SHOWN_MAX = 3

/** Ajv's messages about the schemas around the one that a value violates. */
const OF_OUTER_SCHEMA = /: must (?:NOT be valid|match (?:exactly one|a) schema in \w+|match "\w+" schema)\.$/

/** The most specific finding of each line of an example, and one for all examples with the same fault. */
function onePerExample(problems: readonly Problem[]): Problem[] {
  const [ofExamples, others] = [true, false].map((is) => problems.filter(({ rule }) => (rule === EXAMPLES_RULE) === is))
  const mostSpecific = [...Map.groupBy(ofExamples ?? [], ({ file }) => file).values()].flatMap((found) => {
    const inner = found.filter(({ message }) => !OF_OUTER_SCHEMA.test(message))
    return inner.length === 0
      ? found.slice(0, 1)
      : [...Map.groupBy(inner, ({ line }) => line).values()].flatMap(([first]) => first ?? [])
  })
  const alike = [...Map.groupBy(mostSpecific, ({ message }) => message).values()]
  return [...(others ?? []), ...alike.flatMap(asOne)]
}

/** Problems, with a single one for all references to an unreadable target. */
export function onePerTarget(problems: readonly Problem[]): Problem[] {
  const [broken, others] = [true, false].map((is) => problems.filter(({ rule }) => (rule === 'no-unresolved-refs') === is))
  const parsed = broken?.toSorted((a, b) => Number(!a.message.startsWith(UNPARSED)) - Number(!b.message.startsWith(UNPARSED)))
  const byTarget = Map.groupBy(parsed ?? [], ({ message }) => message.replace(/^[\w $']+: /, ''))
  return [...[...byTarget.values()].flatMap(asOne), ...(others ?? [])]
}

/** Start of the finding about the file itself. */
const UNPARSED = 'Failed to parse'

function asOne([first, ...others]: readonly Problem[]): Problem[] {
  if (first === undefined) return []
  const names = [...new Set(others.map(({ file }) => file).filter((file) => file !== first.file))].map((file) => basename(file))
  if (names.length === 0) return [first, ...others]
  const some = names.length > SHOWN_MAX ? `${names.length} other files, such as ` : ''
  return [{ ...first, message: `${first.message.replace(/\.?$/, '.')} So in ${some}${names.slice(0, SHOWN_MAX).join(', ')}.` }]
}
