import { execFile } from 'node:child_process'
import { projectRoot } from '../generate/files.ts'

const MINUTES_MAX = 10

export interface ProgramOutput {
  /** The exit code; null if the program was killed because it took too long. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a program to its end, whatever its exit code.
 * @returns undefined if there is no such program
 */
export function runProgram(
  program: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ProgramOutput | undefined> {
  return new Promise((done) => {
    const child = execFile(
      program,
      words,
      { cwd: projectRoot, env: { ...process.env, ...env }, maxBuffer: 256 * 1024 * 1024, timeout: MINUTES_MAX * 60_000 },
      (error, stdout, stderr) =>
        done(error !== null && error.code === 'ENOENT' ? undefined : { code: child.exitCode, stdout, stderr }),
    )
  })
}
