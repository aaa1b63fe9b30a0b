import { join } from 'node:path'
import { bundleContract } from '../generate/contract.ts'
import { ContractFiles, projectRoot } from '../generate/files.ts'
import { Linter, problemsIn } from './linter.ts'
import { distinct, type Problem } from './problem.ts'
import { unfinishedBesideContract } from './unfinished.ts'

/**
 * All problems of the contract with the root file `root` (an absolute path), as of every release date; for the contract of this project,
 * also the `TODO:` lines in its code.
 */
export async function lintContract(root: string): Promise<Problem[]> {
  const files = new ContractFiles()
  const linter = await Linter.load()
  const unfinished = root === join(projectRoot, 'spec/openapi.yaml') ? await unfinishedBesideContract() : []
  try {
    const contract = await bundleContract(root, files)
    const problems = await linter.problems(contract)
    problems.push(...(await linter.problemsOfControl(contract).catch(problemsIn)))
    return distinct([...problems, ...(await linter.problemsByDate(contract, problems).catch(problemsIn)), ...unfinished])
  } catch (error) {
    return distinct([...(await linter.problemsOfFiles(root, files, error)), ...unfinished])
  }
}
