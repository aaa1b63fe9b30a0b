/** Runs all rules on a contract. */

import { dirname } from 'node:path'
import { readResponseHeaders } from '../generate/response_headers.ts'
import { datedContractsOf, isCertain, type Contract, type ContractReading } from '../generate/contract.ts'
import { operationsOf, type Document } from '../generate/document.ts'
import { ContractFaults, faultsIn } from '../generate/faults.ts'
import type { ContractFiles } from '../generate/files.ts'
import { undatedOperations } from './undated_operations.ts'
import { onePerTarget, withoutConsequences } from './consequences.ts'
import type { SideContract } from '../generate/side_contracts.ts'
import { sideContractProblems } from './side_contracts.ts'
import { unknownErrorCodes } from './error_codes.ts'
import { withOnlyInvalidExamples } from './examples.ts'
import { ProjectRules } from './project_rules.ts'
import { distinct, type Problem } from './problem.ts'
import { Redocly, type Locate } from './redocly.ts'
import { SourceMap } from '../generate/source_map.ts'
import { workflowProblems } from './workflows.ts'
import { unlistedExampleIds } from './example_ids.ts'
import { unfinishedFiles } from './unfinished.ts'

/** Rules of Redocly that do not follow references. */
const OF_FILES_ALONE: ReadonlySet<string> = new Set(['struct', 'no-unresolved-refs'])

/** The rules of Redocly and of the project, loaded once. */
export class Linter {
  readonly #redocly: Redocly
  readonly #projectRules: ProjectRules

  private constructor(redocly: Redocly, projectRules: ProjectRules) {
    this.#redocly = redocly
    this.#projectRules = projectRules
  }

  static async load(): Promise<Linter> {
    return new Linter(await Redocly.load(), new ProjectRules())
  }

  /** The problems of files that cannot be bundled: Redocly's findings, and the faults that were thrown. */
  async problemsOfFiles(root: string, files: ContractFiles, thrown: unknown): Promise<Problem[]> {
    const problems = [...(await this.#redocly.files(root, files).catch((): Problem[] => [])), ...(await unfinishedFiles(files))]
    return withFaults(problems, faultsIn(thrown))
  }

  /**
   * The problems of a contract: the findings of Redocly and of the project's own rules, and problems of examples, their ids, workflows and
   * `TODO:` lines. Problems in files that lead to broken references are left out.
   */
  async problems(reading: ContractReading): Promise<Problem[]> {
    const { root, files, contract, faults } = reading
    if (contract === undefined) return this.problemsOfFiles(root, files, new ContractFaults(faults))
    const table = await readResponseHeaders(dirname(root)).catch(() => []) // reading the contract has already reported its faults
    const headers = [...new Set(table.map(({ file }) => file))]
    const ofSources = await this.#redocly.files(root, files, headers)
    const found = await this.#problemsOfBundle(contract).catch((error: unknown) => {
      if (contract.isWhole) throw error
      return [] // a rule may need missing parts
    })
    const ofBundle = await withoutConsequences(contract, ofSources, found)
    return distinct(
      withFaults(
        [
          ...ofSources.filter(
            ({ rule, file }) => rule !== 'operation-operationId-unique' && (OF_FILES_ALONE.has(rule) || isCertain(reading, file)),
          ),
          ...ofBundle.filter(({ file }) => isCertain(reading, file)),
          ...(await unfinishedFiles(files)),
        ],
        faults,
      ),
    )
  }

  async #problemsOfBundle(contract: Contract): Promise<Problem[]> {
    const { root, files, document, isWhole } = contract
    const sources = new SourceMap(root, files)
    const locate: Locate = (path) => sources.locate(path)
    const found = [
      ...(await sharedOperationIds(document, locate)),
      ...(await this.#projectRules.problems(document, locate)),
      ...(await undatedOperations(document, root, locate)),
      ...(await unlistedExampleIds(document, root, locate)),
      ...(isWhole ? await workflowProblems(contract, this.#redocly) : []),
      ...(isWhole ? await unknownErrorCodes(root, files, document) : []),
    ]
    const invalid = withOnlyInvalidExamples(document)
    return [...found, ...(invalid === undefined ? [] : await this.#redocly.examples(invalid, locate))]
  }

  /** The problems of a side contract, such as the control API; none if there is no such contract. */
  async problemsBeside({ root, files }: Pick<ContractReading, 'root' | 'files'>, name: SideContract): Promise<Problem[]> {
    return sideContractProblems(root, name, files, { redocly: this.#redocly, projectRules: this.#projectRules })
  }

  /** Structural problems of the dated contracts. */
  async problemsByDate(contract: Contract): Promise<Problem[]> {
    const sources = new SourceMap(contract.root, contract.files)
    const found: Problem[] = []
    for (const { date, document } of await datedContractsOf(contract)) {
      const problems = await this.#redocly.structure(document, (path) => sources.locate(path))
      found.push(...problems.map((problem) => ({ ...problem, message: `As of ${date}: ${problem.message}` })))
    }
    return distinct(found)
  }
}

/** Adds faults to problems. A line that Redocly has already reported is not reported again. */
function withFaults(problems: readonly Problem[], faults: readonly string[]): Problem[] {
  const isNew = ({ file, line }: Problem): boolean => !problems.some((known) => known.file === file && known.line === line)
  return onePerTarget([...problems, ...faults.map(problemOf).filter(isNew)])
}

/** The faults of the generator as problems; they are plain text or `file:line:column  text`. */
export function problemsIn(thrown: unknown): Problem[] {
  return faultsIn(thrown).map(problemOf)
}

function problemOf(fault: string): Problem {
  const [, file = 'spec', line, column, message = fault] = /^(\S+\.(?:yaml|md))(?::(\d+):(\d+))? {2}(.*)$/s.exec(fault) ?? []
  const location = line === undefined ? {} : { line: Number(line), column: Number(column) }
  return { tool: 'bundle', rule: 'bundle', severity: 'error', message, file, ...location, location: '' }
}

/** Operations with the same id as another: a problem for each except the first. */
async function sharedOperationIds(document: Document, locate: Locate): Promise<Problem[]> {
  const groups = Map.groupBy(operationsOf(document), ({ operation }) => operation.operationId)
  const problems: Problem[] = []
  for (const [id, placed] of groups) {
    const [first, ...others] = await Promise.all(placed.map(({ path, method }) => locate(['paths', path, method, 'operationId'])))
    const message = `${id} is the operationId of ${first?.file}:${first?.line}, too`
    for (const location of others)
      problems.push({ tool: 'redocly', rule: 'operation-operationId-unique', severity: 'error', message, ...location })
  }
  return problems
}
