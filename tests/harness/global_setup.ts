import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { reportUntested } from '../completeness/report.ts'
import { providePrograms } from './programs.ts'

/** Vitest calls `setup` once for each project, in the same process. The projects share one folder; the last one to end reports on it. */
const FOLDER = 'TESTS_OF_THE_SERVICE_FOLDER'
const PROJECTS = 'TESTS_OF_THE_SERVICE_PROJECTS'
let programs: Promise<void> | undefined

/** Provides the workers with a folder for the statuses and values they have seen, reported at the end, and one for their own files. */
export default async function setup(project: TestProject): Promise<() => void> {
  await (programs ??= prepare())
  const folder = (process.env[FOLDER] ??= mkdtempSync(join(tmpdir(), 'workspace-tests-')))
  countProjects(1)
  const [seenFolder, scratchFolder] = [join(folder, 'seen'), join(folder, 'scratch')]
  for (const path of [seenFolder, scratchFolder]) mkdirSync(path, { recursive: true })
  project.provide('seenFolder', seenFolder)
  project.provide('scratchFolder', scratchFolder)
  return () => {
    if (countProjects(-1) > 0) return
    delete process.env[FOLDER]
    try {
      const { state, projects } = project.vitest
      reportUntested(
        seenFolder,
        state.getFilepaths(),
        projects.map(({ name }) => name),
      )
    } finally {
      if (process.env['KEEP_SEEN']) cpSync(seenFolder, process.env['KEEP_SEEN'], { recursive: true })
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function prepare(): Promise<void> {
  execFileSync(process.execPath, ['scripts/generate.ts', '--if-stale'], { stdio: 'inherit' })
  execFileSync(process.execPath, ['scripts/console.ts', '--if-stale'], { stdio: 'inherit' })
  await providePrograms()
}

function countProjects(change: number): number {
  const count = Number(process.env[PROJECTS] ?? 0) + change
  process.env[PROJECTS] = String(count)
  return count
}
