/**
 * The values of formulas and rollups, which may use each other across data sources.
 *
 * Make one `ComputedValues` for a request, with the schemas of the data sources that its relations reach and a row for each page.
 * A row whose data is not in memory notes what it lacks and throws `NotLoaded`; so compute in rounds: all values of all rows,
 * then one fetch of everything noted, then again those that were missing, until none is. A round is needed for each relation that
 * is crossed, not for each row. Give all values of a request one `Budget`, so that many rows cannot add up to a stall; between
 * rows, let other requests have their turn.
 */
export { ComputedValues, type SourceRow } from './computed.ts'
