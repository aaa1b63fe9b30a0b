import { readContract } from '../generate/contract.ts'
import { ContractFiles } from '../generate/files.ts'
import { Linter, problemsIn } from './linter.ts'
import type { Problem } from './problem.ts'

/** Everything that is wrong with the contract whose root file is `root` (absolute path), as it is on disk, as of every release date. */
export async function lintContract(root: string): Promise<Problem[]> {
  const files = new ContractFiles()
  const linter = await Linter.load()
  try {
    const contract = await readContract(root, files)
    const problems = await linter.problems(contract)
    return [...problems, ...(await linter.problemsByDate(contract).catch(problemsIn))]
  } catch (error) {
    return linter.problemsOfFiles(root, files, error)
  }
}
