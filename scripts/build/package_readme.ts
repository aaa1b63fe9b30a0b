import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../generate/files.ts'

/** An import of the package, or its name in a table of imports. */
const SPECIFIER = /(?<=['`])workspace-service(?=['`]|\/)/g
/** The file name of the package that `npm pack` makes. */
const TARBALL = /workspace-service(?=-\d+\.\d+\.\d+\.tgz)/g

/** The README of the published package. @param name of the package, if it is another than the project's; its command keeps its name */
export async function packageReadme(name: string | undefined): Promise<string> {
  const text = await readFile(join(projectRoot, 'PACKAGE.md'), 'utf8')
  if (name === undefined) return text
  return text.replaceAll(SPECIFIER, name).replaceAll(TARBALL, name.replace('@', '').replace('/', '-'))
}
