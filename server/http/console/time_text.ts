/** A time in ISO 8601. @param time in milliseconds since 1970 */
export function timeText(time: number): string {
  return new Date(time).toISOString()
}
