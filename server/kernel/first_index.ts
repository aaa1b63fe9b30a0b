/**
 * The first index for which a test holds, by binary search.
 * @param length the result if it holds for none
 * @param holds false up to some index, and true from there on
 */
export function firstIndex(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
