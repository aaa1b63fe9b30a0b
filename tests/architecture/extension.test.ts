import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { scratchFolder } from '../harness/databases.ts'
import { incompleteUnions } from './support/contract_unions.ts'
import { linkModules, workspaces } from '../../scripts/workspaces.ts'
import { withCopiedType, type Copy } from './support/made_up_types.ts'

/**
 * After a new type of blocks or properties in the contract, the compiler names every place that has to handle it. Here
 * the contract gets a type that nobody has answered for, and what the compiler says is compared with the places that are known.
 */

const root = resolve(import.meta.dirname, '../..')

/** @returns files of the server that do not compile once the contract has copies of types */
async function filesThatMustAnswer(...copies: Copy[]): Promise<string[]> {
  const folder = scratchFolder('extension-')
  for (const part of ['generated', ...workspaces]) cpSync(join(root, part), join(folder, part), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  linkModules(folder)
  const types = join(folder, 'generated/types.ts')
  writeFileSync(types, copies.reduce(withCopiedType, readFileSync(types, 'utf8')))
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: { readonly lib: readonly string[] }
  }
  // The types of browsers come with the tests elsewhere.
  const options = { ...compilerOptions, checkJs: false, lib: [...compilerOptions.lib, 'dom', 'dom.iterable'] }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: [...workspaces, 'generated/*.ts'] }),
  )
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  const output = await new Promise<string>((done) => {
    const limits = { cwd: folder, maxBuffer: 1 << 26 }
    execFile(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], limits, (_error, text) => done(text))
  })
  return [...new Set([...output.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file))].toSorted()
}

// If you are here because the list is longer: a place beside the module of a type has to answer for each type. Let the module answer (a
// member of its definition), and let that place ask the index. If it is shorter: something hides from the compiler that a type is
// missing, such as a `default` or a cast.
it('a new type of the contract fails to compile in the index of its kind, and in few other places', async () => {
  const block: Copy = { from: ['Callout', 'callout'], to: ['MadeUpBlock', 'made_up_block'] }
  const property: Copy = { from: ['PhoneNumber', 'phone_number'], to: ['MadeUpProperty', 'made_up_property'] }
  expect(await filesThatMustAnswer(block, property)).toEqual([
    // A format, or the word that the cell is JSON.
    'archive/src/cell_texts.ts',
    'server/domain/content/block_types/index.ts',
    'server/domain/data/property_types/index.ts',
    // Blocks with a text, which has another name in old releases.
    'server/versions/2022-02-22.ts',
  ])
})

// If you are here because a place is listed: what is new in the contract would be passed over there in silence. Write a case for each
// member, or a record that has them all; where a place asks about types, let their definitions answer.
it("the server handles every member of the contract's unions explicitly", () => {
  expect(incompleteUnions(root)).toEqual([])
})
