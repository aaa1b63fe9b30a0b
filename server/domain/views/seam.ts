/** What views do when a data source comes to a database. When columns go, views leave out what named them (`conditions.ts`). */
export { addTableView } from './create.ts'
