import { decimalText } from './format.ts'

/** ISO 4217 codes of the currency formats. */
const CURRENCIES: Readonly<Record<string, string>> = {
  dollar: 'USD',
  australian_dollar: 'AUD',
  canadian_dollar: 'CAD',
  singapore_dollar: 'SGD',
  hong_kong_dollar: 'HKD',
  new_zealand_dollar: 'NZD',
  new_taiwan_dollar: 'TWD',
  euro: 'EUR',
  pound: 'GBP',
  yen: 'JPY',
  yuan: 'CNY',
  won: 'KRW',
  ruble: 'RUB',
  rupee: 'INR',
  rupiah: 'IDR',
  real: 'BRL',
  lira: 'TRY',
  franc: 'CHF',
  krona: 'SEK',
  norwegian_krone: 'NOK',
  danish_krone: 'DKK',
  zloty: 'PLN',
  forint: 'HUF',
  koruna: 'CZK',
  leu: 'RON',
  baht: 'THB',
  ringgit: 'MYR',
  shekel: 'ILS',
  dirham: 'AED',
  riyal: 'SAR',
  rand: 'ZAR',
  mexican_peso: 'MXN',
  argentine_peso: 'ARS',
  chilean_peso: 'CLP',
  colombian_peso: 'COP',
  uruguayan_peso: 'UYU',
  philippine_peso: 'PHP',
  peruvian_sol: 'PEN',
}

const DECIMALS_MAX = 20
const currencyCodes = new Set(Intl.supportedValuesOf('currency'))
const formatters = new Map<string, Intl.NumberFormat>()

/**
 * Formats a number by a number format or currency code; null for an unknown one. Without `decimals` (0 to 20), a currency has its usual
 * number of decimals, and any other format has as many as the number.
 */
export function formatNumberAs(value: number, format: string, decimals?: number): string | null {
  const places = decimals === undefined ? undefined : Math.min(DECIMALS_MAX, Math.max(0, Math.trunc(decimals)))
  if (format === 'number') return places === undefined ? decimalText(value) : show(value, { useGrouping: false }, places)
  if (format === 'number_with_commas') return show(value, {}, places ?? [0, DECIMALS_MAX])
  if (format === 'percent') return show(value, { style: 'percent' }, places ?? [0, DECIMALS_MAX])
  const code = Object.hasOwn(CURRENCIES, format) ? CURRENCIES[format] : format.toUpperCase()
  if (code === undefined || !currencyCodes.has(code)) return null
  return show(value, { style: 'currency', currency: code }, places)
}

/** @param places the exact number of decimals, or the minimum and maximum */
function show(value: number, options: Intl.NumberFormatOptions, places: number | [number, number] | undefined): string {
  const [fewest, most] = typeof places === 'number' ? [places, places] : (places ?? [])
  const digits = fewest === undefined ? {} : { minimumFractionDigits: fewest, maximumFractionDigits: most }
  const key = JSON.stringify([options, digits])
  const formatter = formatters.get(key) ?? new Intl.NumberFormat('en-US', { ...options, ...digits } as Intl.NumberFormatOptions)
  formatters.set(key, formatter)
  // Clients do not expect non-breaking spaces.
  return formatter.format(value === 0 ? 0 : value).replaceAll('\u00a0', ' ')
}
