/** Checks the structure and references of the sources, and the examples, by Redocly with `redocly.yaml`. */

import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  BaseResolver,
  createConfig,
  getLineColLocation,
  lintDocument,
  Source,
  type Config,
  type Document as SourceDocument,
  type NormalizedProblem,
} from '@redocly/openapi-core'
import { stringify } from 'yaml'
import type { Document } from '../generate/document.ts'
import { nameOf, parseYaml, projectRoot, type ContractFiles } from '../generate/files.ts'
import { distinct, EXAMPLES_RULE, type Problem } from './problem.ts'
import { keysOfPointer } from '../generate/pointers.ts'
import type { BundlePath, SourceLocation } from '../generate/source_map.ts'
import { didYouMean } from '../../spec/rules/support/did_you_mean.js'
import { isObject } from '../../server/kernel/is_object.ts'

/** Finds the source of a path in a document. */
export type Locate = (path: BundlePath) => Promise<SourceLocation>

/**
 * Redocly with the rules of the project. Checking examples takes many times as long as all other rules together, so it is done separately,
 * and only for invalid ones.
 */
export class Redocly {
  readonly #structure: Config
  readonly #examples: Config

  private constructor(structure: Config, examples: Config) {
    this.#structure = structure
    this.#examples = examples
  }

  static async load(): Promise<Redocly> {
    const file = join(projectRoot, 'redocly.yaml')
    const settings = parseYaml(file, await readFile(file, 'utf8'))
    if (!isObject(settings) || !isObject(settings['rules'])) throw new Error('redocly.yaml has no rules')
    const { [EXAMPLES_RULE]: examples } = settings['rules']
    // The plugin is not needed, because `ContractFiles` does the same when it reads the files.
    const { plugins: _plugins, preprocessors: _preprocessors, ...plain } = settings
    const structure = { ...plain, rules: { ...settings['rules'], [EXAMPLES_RULE]: 'off' } }
    return new Redocly(
      await createConfig(stringify(structure)),
      await createConfig(stringify({ rules: { [EXAMPLES_RULE]: examples } })),
    )
  }

  /**
   * The problems of source files, except those of examples.
   * @param headers files of headers that are checked, too, although no file refers to them
   */
  async files(root: string, files: ContractFiles, headers: readonly string[] = []): Promise<Problem[]> {
    const document = await files.resolveDocument(null, root, true)
    if (document instanceof Error) throw document
    const problems = await lintDocument({
      document: withHeaders(document, headers),
      config: this.#structure,
      externalRefResolver: files,
    })
    // The generator reports faulty references in its table of headers.
    const isWritten = ({ location: [location] }: NormalizedProblem): boolean =>
      location?.source.absoluteRef !== root || !location.pointer?.startsWith(TABLE_HEADERS)
    const placed = problems.filter(isWritten).map(async (problem) => {
      const [found] = problem.location
      const location = found === undefined ? undefined : await files.written(found)
      const file = nameOf(location?.source.absoluteRef ?? root)
      const start = location && getLineColLocation(location).start
      const where = start === undefined ? {} : { line: start.line, column: start.col }
      return { ...said(problem), file, ...where, location: location?.pointer ?? '' }
    })
    return distinct(withoutMisspelled(await Promise.all(placed)))
  }

  /** The problems of a bundle, except those of examples. */
  async structure(document: Document, locate: Locate): Promise<Problem[]> {
    return this.#document(document, this.#structure, locate)
  }

  /** The problems of a bundle's examples. */
  async examples(document: Document, locate: Locate): Promise<Problem[]> {
    const problems = await this.#document(document, this.#examples, locate)
    return problems.filter(({ rule }) => rule === EXAMPLES_RULE)
  }

  async #document(document: Document, config: Config, locate: Locate): Promise<Problem[]> {
    const source = new Source(join(projectRoot, 'bundle.json'), '')
    const problems = await lintDocument({
      document: { source, parsed: document },
      config,
      externalRefResolver: new BaseResolver(),
    })
    return Promise.all(
      problems.map(async (problem) => {
        const keys = keysOfPointer(problem.location[0]?.pointer ?? '')
        return { ...said(problem), ...(await locate(keys)) }
      }),
    )
  }
}

/** Temporary keys in the linter's root for headers of the table; no component has such a name. */
const TABLE_HEADERS = '#/components/headers/in-table-'

function withHeaders({ source, parsed }: SourceDocument, headers: readonly string[]): SourceDocument {
  if (!isObject(parsed) || headers.length === 0) return { source, parsed }
  const components = isObject(parsed['components']) ? parsed['components'] : {}
  const known = isObject(components['headers']) ? components['headers'] : {}
  const named = headers.map((file, index) => [`in-table-${index}`, { $ref: file }])
  return { source, parsed: { ...parsed, components: { ...components, headers: { ...known, ...Object.fromEntries(named) } } } }
}

function said({
  ruleId,
  severity,
  message,
  suggest: [likely],
}: NormalizedProblem): Pick<Problem, 'tool' | 'rule' | 'severity' | 'message'> {
  const hint = likely === undefined ? '' : `, did you mean \`${likely}\`?`
  const text = relativePaths(hint === '' ? missingFile(message) : message.replace(/\.$/, '') + hint)
  return { tool: 'redocly', rule: ruleId, severity: severity === 'error' ? 'error' : 'warning', message: text }
}

/** Removes problems about a missing key that is present but misspelled. */
function withoutMisspelled(problems: readonly Problem[]): Problem[] {
  const meant = problems.flatMap(({ file, location, message }) => {
    const [, key] = /, did you mean `(.*)`\?$/.exec(message) ?? []
    return key === undefined ? [] : { file, parent: dirname(location), key }
  })
  return problems.filter(({ file, location, message }) => {
    const [, missing] = /^(?:The field `|Must contain at least one of the following fields: )([\w, -]+)/.exec(message) ?? []
    const keys = missing?.split(', ')
    return !meant.some((one) => keys?.includes(one.key) && one.file === file && one.parent === dirname(join(location, 'x')))
  })
}

/** Rewords a reference to a missing file, with the closest existing name. */
function missingFile(message: string): string {
  const [, path] = /^Can't resolve \$ref: ENOENT: no such file or directory '(.*)'$/.exec(message) ?? []
  if (path === undefined) return message
  const folder = dirname(path)
  if (!existsSync(folder)) return `The folder ${nameOf(folder)} does not exist`
  return `The file ${path} does not exist${didYouMean(basename(path), readdirSync(folder))}`
}

/** Makes the paths in a message of Redocly relative to the project. */
function relativePaths(message: string): string {
  return message.replaceAll(/(?<![\w.])\/[\w./-]+\.ya?ml/g, (path) => nameOf(path))
}
