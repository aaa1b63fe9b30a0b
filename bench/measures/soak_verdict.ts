import { median } from '../statistics.ts'
import type { SoakFigures, SoakSample } from './soak.ts'

/** Growth of a figure over the second half of a soak, as a share of its median there. A decrease is negative. */
export function growthOf(samples: readonly SoakSample[], read: (sample: SoakSample) => number): number {
  const half = samples.slice(Math.floor(samples.length / 2))
  const [first, last] = [half[0], half.at(-1)]
  if (!first || !last) return NaN
  const perMinute = slope(half.map((sample) => [sample.minute, read(sample)]))
  return (perMinute * (last.minute - first.minute)) / median(half.map(read))
}

/** The Theil–Sen slope: the median of the slopes between all pairs of points, which single outliers do not distort. */
function slope(points: readonly (readonly [number, number])[]): number {
  const slopes = points.flatMap(([x, y], index) => points.slice(index + 1).map(([laterX, laterY]) => (laterY - y) / (laterX - x)))
  return slopes.length === 0 ? NaN : median(slopes)
}

/** Handles that the load left open. */
export function leftOpen({ handlesAtRest: [before, after] }: SoakFigures): number {
  return after - before
}
