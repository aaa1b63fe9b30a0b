import { globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const projectRoot = join(import.meta.dirname, '..')

/** The folders of the project's own packages, such as `server` and `client`, as package.json lists them. */
export const { workspaces } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  readonly workspaces: readonly string[]
}

/**
 * Source files below the folders, as paths from the root of the repository, without build output and installed packages.
 * @param folders paths or glob patterns
 * @param endings without the dot
 */
export function sourceFiles(folders: readonly string[], endings: readonly string[] = ['ts'], root = projectRoot): string[] {
  return globSync(
    folders.flatMap((folder) => endings.map((ending) => `${folder}/**/*.${ending}`)),
    { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] },
  )
}

const OWN = '@workspace-service'

/** Links the installed packages into a copy of the project, whose own packages replace this project's. */
export function linkModules(folder: string): void {
  const [installed, modules] = [join(projectRoot, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(modules, OWN), { recursive: true })
  for (const name of readdirSync(installed)) if (name !== OWN) symlinkSync(join(installed, name), join(modules, name))
  for (const name of workspaces) symlinkSync(join(folder, name), join(modules, OWN, name))
}
