/** @throws RangeError for an empty list */
export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

/** @param sorted ascending, not empty @param share from 0 to 1 */
export function quantile(sorted: readonly number[] | Float64Array, share: number): number {
  const location = (sorted.length - 1) * share
  const [below, above] = [sorted[Math.floor(location)], sorted[Math.ceil(location)]]
  if (below === undefined || above === undefined) throw new RangeError('no values')
  return below + (above - below) * (location - Math.floor(location))
}

/**
 * The median of the ratios of two subjects in the same round: noise affects both and cancels out.
 * @returns `a` relative to `b`, or undefined if they share no round
 */
export function pairedRatio(a: readonly number[], b: readonly number[]): number | undefined {
  const ratios = a.flatMap((value, round) => {
    const other = b[round]
    return other === undefined || other === 0 ? [] : [value / other]
  })
  return ratios.length === 0 ? undefined : median(ratios)
}
