import { afterAll, expect, vi } from 'vitest'
import { runCommandLine } from '../../cli/src/program.ts'
import { makeDatabase } from '../harness/databases.ts'
import { serverOfFile, type TestServer } from '../harness/server.ts'
import { spawnProcess } from '../harness/process.ts'
import { parseObject, type JsonObject } from '../harness/json.ts'

export interface Outcome {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** A command line on one database. */
export class CommandLine {
  readonly databaseUrl: string
  protected readonly settings: Readonly<Record<string, string>>

  constructor(databaseUrl: string, settings: Readonly<Record<string, string>> = {}) {
    this.databaseUrl = databaseUrl
    this.settings = { DATABASE_URL: databaseUrl, ...settings }
  }

  async run(words: readonly string[], input = ''): Promise<Outcome> {
    const child = spawnProcess('cli/main.js', words, this.settings, input)
    const { code } = await child.ended
    return { code, output: child.output(), errors: child.errors() }
  }

  /**
   * Runs a command that must succeed.
   * @returns its result
   */
  async json(...words: string[]): Promise<JsonObject> {
    const { code, output, errors } = await this.run([...words, '--json'])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    return parseObject(output)
  }

  /** Runs a command that must be refused. @returns the message */
  async refusal(words: readonly string[], code: number, input = ''): Promise<string> {
    const refused = await this.run(words, input)
    expect({ code: refused.code, output: refused.output }, refused.errors).toEqual({ code, output: '' })
    expect(refused.errors).toMatch(/^error: /)
    expect(refused.errors).not.toMatch(/\n {4}at /)
    return refused.errors
  }
}

/**
 * A command line in the process of the tests, without a terminal, one command at a time: a process for each would cost a quarter of a
 * second.
 */
export class InProcessCommandLine extends CommandLine {
  override async run(words: readonly string[], input = ''): Promise<Outcome> {
    if (input !== '') return super.run(words, input)
    const { exitCode } = process
    const written = { stdout: '', stderr: '' }
    const spies = (['stdout', 'stderr'] as const).map((name) =>
      vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
        written[name] += String(chunk)
        return true
      }),
    )
    // Vitest sets `BASE_URL` for its own purposes.
    vi.stubEnv('BASE_URL', undefined)
    for (const [name, value] of Object.entries(this.settings)) vi.stubEnv(name, value)
    try {
      const code = await runCommandLine(words)
      return { code, output: written.stdout, errors: written.stderr }
    } finally {
      process.exitCode = exitCode
      vi.unstubAllEnvs()
      for (const spy of spies) spy.mockRestore()
    }
  }
}

/** A service for all tests of a file, and a command line on the service's database. */
export async function servedCommandLine(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly server: TestServer; readonly cli: InProcessCommandLine }> {
  const database = await makeDatabase()
  afterAll(() => database.drop())
  const server = await serverOfFile({ DATABASE_URL: database.url })
  return { server, cli: new InProcessCommandLine(database.url, settings) }
}
