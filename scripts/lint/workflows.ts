/** Checks the workflows of the contract, `workflows/*.arazzo.yaml`: their structure, by Redocly, and that their operations exist. */

import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { getLineColLocation, type Document as SourceDocument } from '@redocly/openapi-core'
import type { Contract } from '../generate/contract.ts'
import { operationsOf } from '../generate/document.ts'
import { nameOf } from '../generate/files.ts'
import type { Problem } from './problem.ts'
import type { Redocly } from './redocly.ts'
import { isObject } from '../../server/kernel/is_object.ts'

export async function workflowProblems({ root, files, document }: Contract, redocly: Redocly): Promise<Problem[]> {
  const folder = join(dirname(root), 'workflows')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.arazzo.yaml')).toSorted()
  const known = new Set(operationsOf(document).map(({ operation }) => operation.operationId))
  const found: Problem[] = []
  for (const file of names.map((name) => join(folder, name))) {
    const source = await files.read(file)
    found.push(...(await redocly.files(file, files)), ...(source === undefined ? [] : unknownOperations(source, known)))
  }
  return found
}

/** The steps with an operation that the contract does not have. */
function unknownOperations({ source, parsed }: SourceDocument, known: ReadonlySet<string>): Problem[] {
  return stepsOf(parsed).flatMap(({ id, pointer }): Problem[] => {
    if (known.has(id)) return []
    const { start } = getLineColLocation({ source, pointer, reportOnKey: false })
    const location = { file: nameOf(source.absoluteRef), line: start.line, column: start.col, location: pointer }
    return [
      {
        tool: 'workflow',
        rule: 'workflow-operations',
        severity: 'error',
        message: `The contract has no operation ${id}`,
        ...location,
      },
    ]
  })
}

function stepsOf(file: unknown): { id: string; pointer: string }[] {
  return listAt(file, 'workflows').flatMap((workflow, at) =>
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
