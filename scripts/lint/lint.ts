import { join } from 'node:path'
import { readContract } from '../generate/contract.ts'
import { ContractFiles, projectRoot } from '../generate/files.ts'
import { Linter, problemsIn } from './linter.ts'
import type { Problem } from './problem.ts'
import { unfinishedBesideContract } from './unfinished.ts'

/**
 * Everything that is wrong with the contract whose root file is `root` (absolute path), as it is on disk, as of every release date; for
 * the contract of this project, what is not written yet of the code, too.
 */
export async function lintContract(root: string): Promise<Problem[]> {
  const files = new ContractFiles()
  const linter = await Linter.load()
  const unfinished = root === join(projectRoot, 'spec/openapi.yaml') ? await unfinishedBesideContract() : []
  try {
    const contract = await readContract(root, files)
    const problems = await linter.problems(contract)
    problems.push(...(await linter.problemsOfControl(contract).catch(problemsIn)))
    return [...problems, ...(await linter.problemsByDate(contract).catch(problemsIn)), ...unfinished]
  } catch (error) {
    return [...(await linter.problemsOfFiles(root, files, error)), ...unfinished]
  }
}
