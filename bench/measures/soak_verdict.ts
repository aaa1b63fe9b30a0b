import { median } from '../statistics.ts'
import type { SoakFigures, SoakSample } from './soak.ts'

/** How much a figure grows over the second half of a soak, as a share of its median there. Falling is negative growth. */
export function growthOf(samples: readonly SoakSample[], read: (sample: SoakSample) => number): number {
  const half = samples.slice(Math.floor(samples.length / 2))
  const [first, last] = [half[0], half.at(-1)]
  if (!first || !last) return NaN
  const perMinute = slope(half.map((sample) => [sample.minute, read(sample)]))
  return (perMinute * (last.minute - first.minute)) / median(half.map(read))
}

/** Of the line that lies closest to the points by the median of all slopes between two of them, which single outliers do not bend. */
function slope(points: readonly (readonly [number, number])[]): number {
  const slopes = points.flatMap(([x, y], index) => points.slice(index + 1).map(([laterX, laterY]) => (laterY - y) / (laterX - x)))
  return slopes.length === 0 ? NaN : median(slopes)
}

/** Handles that the load left open. */
export function leftOpen({ handlesAtRest: [before, after] }: SoakFigures): number {
  return after - before
}
