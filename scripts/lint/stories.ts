/** Checks the stories of the contract, `stories/*.arazzo.yaml`: their structure, by Redocly, and that their operations exist. */

import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { getLineColLocation, type Document as SourceDocument } from '@redocly/openapi-core'
import type { Contract } from '../generate/contract.ts'
import { operationsOf } from '../generate/document.ts'
import { nameOf, type ContractFiles } from '../generate/files.ts'
import type { Problem } from './problem.ts'
import type { Redocly } from './redocly.ts'
import { isObject } from '../../server/kernel/is_object.ts'

interface JudgedStory {
  /** The file that was checked. */
  readonly source: SourceDocument | undefined
  readonly problems: readonly Problem[]
}

/** Checks stories repeatedly; Redocly checks one again only if it has changed. */
export class Stories {
  readonly #redocly: Redocly
  readonly #judged = new Map<string, JudgedStory>()

  constructor(redocly: Redocly) {
    this.#redocly = redocly
  }

  async problems({ root, files, document }: Contract): Promise<Problem[]> {
    const folder = join(dirname(root), 'stories')
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.arazzo.yaml')).toSorted()
    const known = new Set(operationsOf(document).map(({ operation }) => operation.operationId))
    const found: Problem[] = []
    for (const name of names) {
      const { source, problems } = await this.#structure(join(folder, name), files)
      found.push(...problems, ...(source === undefined ? [] : unknownOperations(source, known)))
    }
    return found
  }

  async #structure(file: string, files: ContractFiles): Promise<JudgedStory> {
    const source = await files.read(file)
    const before = this.#judged.get(file)
    if (before !== undefined && before.source === source && source !== undefined) return before
    const judged = { source, problems: await this.#redocly.files(file, files) }
    this.#judged.set(file, judged)
    return judged
  }
}

/** The steps with an operation that the contract does not have. */
function unknownOperations({ source, parsed }: SourceDocument, known: ReadonlySet<string>): Problem[] {
  return stepsOf(parsed).flatMap(({ id, pointer }): Problem[] => {
    if (known.has(id)) return []
    const { start } = getLineColLocation({ source, pointer, reportOnKey: false })
    const place = { file: nameOf(source.absoluteRef), line: start.line, place: pointer }
    return [
      { tool: 'story', rule: 'story-operations', severity: 'error', message: `The contract has no operation ${id}`, ...place },
    ]
  })
}

function stepsOf(story: unknown): { id: string; pointer: string }[] {
  return listAt(story, 'workflows').flatMap((workflow, at) =>
    listAt(workflow, 'steps').flatMap((step, index) => {
      const id = isObject(step) ? step['operationId'] : undefined
      return typeof id === 'string' ? [{ id, pointer: `#/workflows/${at}/steps/${index}/operationId` }] : []
    }),
  )
}

function listAt(value: unknown, key: string): unknown[] {
  const list = isObject(value) ? value[key] : undefined
  return Array.isArray(list) ? list : []
}
