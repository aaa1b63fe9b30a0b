/** TypeScript samples of the reference in a reader's setup: in a separate folder, with the client under its package name. */

import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../../spec/support/files.ts'
import { workspaces } from '../../../scripts/workspaces.ts'

const run = promisify(execFile)

/** Links the sources of the client and the test kit into a folder, so that programs there find them. */
export async function offerPackages(folder: string): Promise<void> {
  const service = join(folder, 'node_modules/workspace-service')
  await mkdir(service, { recursive: true })
  const exports = {
    './testing': './testkit/src/index.ts',
    './testing/*': './testkit/src/*.ts',
    './client': './client/src/index.ts',
    './msw': './fakes/msw.ts',
  }
  await writeFile(join(service, 'package.json'), JSON.stringify({ type: 'module', exports }))
  for (const tool of ['vitest', 'msw']) await symlink(join(projectRoot, 'node_modules', tool), join(folder, 'node_modules', tool))
  for (const name of [...workspaces, 'fakes', 'generated', 'node_modules'])
    await symlink(join(projectRoot, name), join(service, name))
  const location = join(folder, 'node_modules/@workspace-service/client')
  await mkdir(location, { recursive: true })
  await writeFile(
    join(location, 'package.json'),
    JSON.stringify({ type: 'module', exports: { '.': './src/index.ts', './fetch': './src/fetch.ts' } }),
  )
  await symlink(join(projectRoot, 'client/src'), join(location, 'src'))
}

/** Errors of the strict compiler in the programs of a folder; empty if they are correct. */
export async function compilerComplaints(folder: string): Promise<string> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'nodenext',
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(projectRoot, 'node_modules/@types')],
    allowImportingTsExtensions: true,
  }
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const compiler = join(projectRoot, 'node_modules/typescript-native/bin/tsc')
  return run(process.execPath, [compiler, '-p', folder], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  )
}
