import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../processes/launch.ts'
import { step } from '../progress.ts'

/** Another commit of the project, to be measured beside this one. */
export interface OtherCommit {
  /** Its short hash. */
  readonly name: string
  /** Folder in which it is checked out, with the packages of this project. */
  readonly root: string
  remove(): void
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim()

/** Checks a commit out into a temporary folder. @throws Error of git for one that does not exist */
export function checkOut(commit: string): OtherCommit {
  const name = git('rev-parse', '--short', '--verify', `${commit}^{commit}`)
  const folder = mkdtempSync(join(tmpdir(), 'workspace-bench-'))
  const root = join(folder, 'project')
  step(`checking out ${name}`)
  git('worktree', 'add', '--quiet', '--detach', root, name)
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
  return {
    name,
    root,
    remove() {
      git('worktree', 'remove', '--force', root)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
