import { join } from 'node:path'
import { isCertain, readWithFaults, type ContractReading } from '../generate/contract.ts'
import { projectRoot } from '../generate/files.ts'
import { unformattedFiles } from './unformatted_files.ts'
import { Linter, problemsIn } from './linter.ts'
import { distinct, type Problem } from './problem.ts'
import { proseProblems } from './prose.ts'
import { unfinishedBesideContract } from './unfinished.ts'

/**
 * All problems of the newest release of the contract with the root file `root` (an absolute path). For the contract of this project, also
 * `TODO:` lines in its code, and the wording of its documents.
 */
export async function lintContract(root: string): Promise<Problem[]> {
  const unformatted = unformattedFiles(root)
  const linter = await Linter.load()
  const reading = await readWithFaults(root)
  const problems = await problemsOfNewest(linter, reading)
  const isOurs = root === join(projectRoot, 'spec/openapi.yaml')
  const beside = isOurs ? [...(await unfinishedBesideContract()), ...(await proseProblems())] : []
  return distinct([...problems, ...(await unformatted), ...beside])
}

/**
 * The errors of the newest release, as faults. `TODO:` lines do not count, as a draft with them can be generated; nor do errors of older
 * releases, which are derived by code that needs generated files.
 */
export async function faultsOfLint(reading: ContractReading): Promise<string[]> {
  const reported = new Set(reading.faults.map((fault) => /^\S+:\d+(?=:\d+ {2})/.exec(fault)?.[0]))
  const problems = await problemsOfNewest(await Linter.load(), reading)
  return problems
    .filter(({ tool, severity }) => tool !== 'bundle' && tool !== 'unfinished' && severity === 'error')
    .filter(({ tool, file, line }) => tool !== 'redocly' || !reported.has(`${file}:${line}`))
    .filter(({ rule, file }) => rule !== 'no-unresolved-refs' || isCertain(reading, file))
    .map(({ file, line = 1, column = 1, rule, message }) => `${file}:${line}:${column}  ${message.split('\n', 1)[0]} (${rule})`)
}

async function problemsOfNewest(linter: Linter, reading: ContractReading): Promise<Problem[]> {
  const problems = await linter.problems(reading)
  for (const name of ['control', 'console'] as const) {
    const beside = await linter.problemsBeside(reading, name).catch(problemsIn)
    problems.push(...beside.filter(({ file }) => isCertain(reading, file)))
  }
  return problems
}
