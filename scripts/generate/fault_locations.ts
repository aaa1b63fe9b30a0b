/** Where the faults of the contract are in its sources. */

import { isCollection, isNode, parseDocument } from 'yaml'
import { ContractFaults, faultsIn } from './faults.ts'
import { nameOf, type ContractFiles } from './files.ts'
import { keysOfPointer, pointerOf } from './pointers.ts'
import { SourceMap, type BundlePath } from './source_map.ts'

/** A fault at a path of the bundle; `withSources` finds the line. */
export const faultAt = (path: BundlePath, fault: string): string => `${pointerOf(path.map(String))}  ${fault}`

/**
 * Runs work on a part of the bundle.
 * @throws ContractFaults whose faults have that path unless they already have one
 */
export function within<T>(path: BundlePath, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new ContractFaults(faultsIn(error).map((fault) => (/^\S+ {2}/.test(fault) ? fault : faultAt(path, fault))))
  }
}

/** The faults in a thrown value, with file and line for those at a path of the bundle. */
export async function withSources(thrown: unknown, root: string, files: ContractFiles): Promise<ContractFaults> {
  const sources = new SourceMap(root, files)
  const placed = faultsIn(thrown).map(async (fault) => {
    const [, pointer, message] = /^(#\/\S+) {2}(.*)$/s.exec(fault) ?? []
    if (pointer === undefined) return fault
    const { file, line } = await sources.locate(keysOfPointer(pointer))
    return `${file}${line === undefined ? '' : `:${line}:1`}  ${message}`
  })
  return new ContractFaults(await Promise.all(placed))
}

/** `file:line:column` of each entry of a YAML file that is a list. */
export function locationsOfEntries(file: string, text: string): string[] {
  const { contents } = parseDocument(text, { merge: true })
  const entries: readonly unknown[] = isCollection(contents) ? contents.items : []
  return entries.map((entry) => {
    const [start = 0] = (isNode(entry) ? entry.range : undefined) ?? []
    return `${nameOf(file)}:${text.slice(0, start).split('\n').length}:1`
  })
}
