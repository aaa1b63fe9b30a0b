/** All rules on the contract as it is on disk now. */

import { datedContractsOf, type Contract } from '../generate/contract.ts'
import { operationsOf, type Document } from '../generate/document.ts'
import { faultsIn } from '../generate/faults.ts'
import type { ContractFiles } from '../generate/files.ts'
import { controlProblems } from './control.ts'
import { withMisfitsAlone } from './examples.ts'
import { HouseLaw } from './house_law.ts'
import { distinct, type Problem } from './problem.ts'
import { Redocly, type Locate } from './redocly.ts'
import { SourceMap } from './source_map.ts'
import { Stories } from './stories.ts'
import { idsOutsideStory } from './story_ids.ts'
import { unfinishedFiles } from './unfinished.ts'

/** Judges a contract again and again: what has not changed since the last time is not judged again. */
export class Linter {
  readonly #redocly: Redocly
  readonly #stories: Stories
  #houseLaw: HouseLaw
  #judged: Document | undefined
  /** names of examples that did not fit */
  #misfits: ReadonlySet<string> = new Set()

  private constructor(redocly: Redocly, houseLaw: HouseLaw) {
    this.#redocly = redocly
    this.#stories = new Stories(redocly)
    this.#houseLaw = houseLaw
  }

  static async load(): Promise<Linter> {
    const [redocly, houseLaw] = await Promise.all([Redocly.load(), HouseLaw.load()])
    return new Linter(redocly, houseLaw)
  }

  /** Judges by other rules from now on. */
  judgeBy(houseLaw: HouseLaw): void {
    this.#houseLaw = houseLaw
  }

  /** What is wrong with files that are no contract: Redocly's findings, and the faults for which they could not be bundled. */
  async problemsOfFiles(root: string, files: ContractFiles, thrown: unknown): Promise<Problem[]> {
    const problems = [...(await this.#redocly.files(root, files).catch((): Problem[] => [])), ...(await unfinishedFiles(files))]
    const faults = problemsIn(thrown)
    const isNew = ({ file, line }: Problem): boolean => !problems.some((known) => known.file === file && known.line === line)
    return [...problems, ...faults.filter(isNew)]
  }

  /** Redocly's rules on the sources, house law on the bundle, the examples and their ids, the stories, and what is not written yet. */
  async problems(contract: Contract): Promise<Problem[]> {
    const { root, files, document } = contract
    const sources = new SourceMap(root, files)
    const locate: Locate = (path) => sources.locate(path)
    const found = [
      ...(await this.#redocly.files(root, files)).filter(({ rule }) => rule !== 'operation-operationId-unique'),
      ...(await sharedOperationIds(document, locate)),
      ...(await this.#houseLaw.problems(document, locate)),
      ...(await idsOutsideStory(document, root, locate)),
      ...(await this.#stories.problems(contract)),
      ...(await unfinishedFiles(files)),
    ]
    const examples = await this.#examples(withMisfitsAlone(document, this.#judged, this.#misfits), locate)
    this.#judged = document
    this.#misfits = new Set(examples.map(({ file }) => `examples/${/(\w+)\.yaml$/.exec(file)?.[1]}`))
    return distinct([...found, ...examples])
  }

  /** The rules that hold for the control API of test services, if there is one beside the contract. */
  async problemsOfControl({ root, files }: Contract): Promise<Problem[]> {
    return controlProblems(root, files, { redocly: this.#redocly, houseLaw: this.#houseLaw })
  }

  /** The contracts as of each release date: their structure, and the examples in which one differs from the next newer one. */
  async problemsByDate(contract: Contract): Promise<Problem[]> {
    const sources = new SourceMap(contract.root, contract.files)
    const found: Problem[] = []
    let newer = contract.document
    for (const { date, document } of await datedContractsOf(contract)) {
      const locate: Locate = (path) => sources.locate(path)
      const problems = [
        ...(await this.#redocly.structure(document, locate)),
        ...(await this.#examples(withMisfitsAlone(document, newer), locate)),
      ]
      found.push(...problems.map((problem) => ({ ...problem, message: `As of ${date}: ${problem.message}` })))
      newer = document
    }
    return distinct(found)
  }

  async #examples(misfits: Document | undefined, locate: Locate): Promise<Problem[]> {
    return misfits === undefined ? [] : this.#redocly.examples(misfits, locate)
  }
}

/** Faults of the generator, `file:line:column  what` or plain words. */
export function problemsIn(thrown: unknown): Problem[] {
  return faultsIn(thrown).map(problemOf)
}

function problemOf(fault: string): Problem {
  const [, file = 'spec', line, message = fault] = /^(\S+\.(?:yaml|md))(?::(\d+):\d+)? {2}(.*)$/s.exec(fault) ?? []
  const place = line === undefined ? {} : { line: Number(line) }
  return { tool: 'bundle', rule: 'bundle', severity: 'error', message, file, ...place, place: '' }
}

/** Operations that claim one id: each is named with the first. */
async function sharedOperationIds(document: Document, locate: Locate): Promise<Problem[]> {
  const groups = Map.groupBy(operationsOf(document), ({ operation }) => operation.operationId)
  const problems: Problem[] = []
  for (const [id, placed] of groups) {
    const [first, ...others] = await Promise.all(placed.map(({ path, method }) => locate(['paths', path, method, 'operationId'])))
    const message = `${id} is the operationId of ${first?.file}:${first?.line}, too`
    for (const place of others)
      problems.push({ tool: 'redocly', rule: 'operation-operationId-unique', severity: 'error', message, ...place })
  }
  return problems
}
