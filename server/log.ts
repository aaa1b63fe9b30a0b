import { pino, type DestinationStream, type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'
import { maskValue } from './kernel/masking.ts'

/** Left out of every line: they cannot be distinguished from secrets. */
const LEFT_OUT = ['query', 'headers']
const STDOUT = 1

/**
 * The log of the service: JSON lines, or human-readable lines on a terminal. Callers of the log do not pass secrets; any that slip through
 * are masked here, by name and by form.
 */
export function makeLog(config: Config, destination?: DestinationStream): Logger {
  const end = destination ?? (process.stdout.isTTY ? terminal() : lines())
  const known = secretsOf(config)
  return pino(
    {
      level: config.logLevel,
      base: { pid: process.pid },
      formatters: { level: (level) => ({ level }) },
    },
    { write: (line) => end.write(`${JSON.stringify(maskValue(JSON.parse(line), { known, names: LEFT_OUT }))}\n`) },
  )
}

/** Written immediately: a line that waits in memory is lost, or out of order, when the process ends. */
function lines(): DestinationStream {
  return pino.destination({ dest: STDOUT, sync: true })
}

/** For people: time, level, message and fields on one line. */
export function terminal(destination: DestinationStream = lines()): DestinationStream {
  const colorize = process.env['NO_COLOR'] === undefined
  return pretty({ destination, sync: true, colorize, ignore: 'pid', translateTime: 'SYS:HH:MM:ss.l', singleLine: true })
}

/** Shorter header values are not masked: they may be ordinary words. */
const SECRET_LENGTH_MIN = 8

function secretsOf({ bootstrapToken, metrics, agentModel, transcription }: Config): string[] {
  const headers = Object.values(agentModel?.headers ?? {}).filter(({ length }) => length >= SECRET_LENGTH_MIN)
  const metricsToken = typeof metrics === 'object' ? metrics.token : undefined
  return [bootstrapToken, metricsToken, agentModel?.key, transcription?.key, ...headers].filter((text) => text !== undefined)
}
