import { parseCommandLine } from '../scripts/parse_command_line.ts'
import { measureNames, onlyNamed, type MeasureName } from './measures/names.ts'

export interface Options {
  /** File for all figures, or undefined. */
  readonly json: string | undefined
  readonly measures: readonly MeasureName[]
  /** A subject is measured if its name contains one of these words; if empty, all are. */
  readonly subjects: readonly string[]
  readonly quick: boolean
  /** How long a soak lasts. */
  readonly minutes: number
  /** A commit whose service is measured alternately with this one; undefined for none. */
  readonly compare: string | undefined
  /** A folder for processor profiles of the service; undefined for none. */
  readonly profile: string | undefined
}

const usage = `npm run bench -- [--quick] [--only <name>]… [--compare <commit>] [--profile <folder>] [--minutes <n>] [--json <file>]

  --quick         few short rounds, no database of a million blocks
  --only <name>   one of ${measureNames.join(', ')}; or a part of a subject's name, such as sqlite. May be repeated.
                  What others are compared with always runs.
  --compare <commit>   measure the service of that commit, too, in turns with this one
  --profile <folder>   write processor profiles of the service there, which browsers and speedscope show as flame graphs; they slow it down
  --minutes <n>   how long a soak (--only soak) lasts; 20 unless given
  --json <file>   write every figure there too
  --help`

/**
 * Parses the command line. Ends the process for `--help` and unknown options.
 * @throws Error about an invalid value
 */
export function parseOptions(): Options {
  const { values } = parseCommandLine(
    import.meta.filename,
    {
      options: {
        compare: { type: 'string' },
        profile: { type: 'string' },
        json: { type: 'string' },
        minutes: { type: 'string', default: '20' },
        only: { type: 'string', multiple: true, default: [] },
        quick: { type: 'boolean', default: false },
      },
    },
    usage,
  )
  const minutes = Number(values.minutes)
  if (!(minutes > 0)) throw new Error('--minutes takes a number above 0.')
  const measures = measureNames.filter((name) => values.only.includes(name))
  return {
    json: values.json,
    measures: measures.length > 0 ? measures : measureNames.filter((name) => !onlyNamed.includes(name)),
    minutes,
    subjects: values.only.filter((name) => !measureNames.some((measure) => measure === name)),
    quick: values.quick,
    compare: values.compare,
    profile: values.profile,
  }
}
