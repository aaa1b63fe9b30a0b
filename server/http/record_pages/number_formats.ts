import { KeptFormatters } from './kept_formatters.ts'
import type { NumberFormat } from '../../../generated/types.ts'

const PLAIN: Intl.NumberFormatOptions = { useGrouping: false, maximumFractionDigits: 20 }

function currency(code: string): Intl.NumberFormatOptions {
  return { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' }
}

const FORMATS: Readonly<Record<NumberFormat, Intl.NumberFormatOptions>> = {
  number: PLAIN,
  number_with_commas: { maximumFractionDigits: 20 },
  percent: { style: 'percent', maximumFractionDigits: 20 },
  dollar: currency('USD'),
  australian_dollar: currency('AUD'),
  canadian_dollar: currency('CAD'),
  singapore_dollar: currency('SGD'),
  hong_kong_dollar: currency('HKD'),
  new_zealand_dollar: currency('NZD'),
  new_taiwan_dollar: currency('TWD'),
  euro: currency('EUR'),
  pound: currency('GBP'),
  yen: currency('JPY'),
  yuan: currency('CNY'),
  won: currency('KRW'),
  ruble: currency('RUB'),
  rupee: currency('INR'),
  rupiah: currency('IDR'),
  real: currency('BRL'),
  lira: currency('TRY'),
  franc: currency('CHF'),
  krona: currency('SEK'),
  norwegian_krone: currency('NOK'),
  danish_krone: currency('DKK'),
  zloty: currency('PLN'),
  forint: currency('HUF'),
  koruna: currency('CZK'),
  leu: currency('RON'),
  baht: currency('THB'),
  ringgit: currency('MYR'),
  shekel: currency('ILS'),
  dirham: currency('AED'),
  riyal: currency('SAR'),
  rand: currency('ZAR'),
  mexican_peso: currency('MXN'),
  argentine_peso: currency('ARS'),
  chilean_peso: currency('CLP'),
  colombian_peso: currency('COP'),
  uruguayan_peso: currency('UYU'),
  peruvian_sol: currency('PEN'),
  philippine_peso: currency('PHP'),
}

const formatters = new KeptFormatters<Intl.NumberFormat>()

/** A number in the reader's language, in the format of its column. */
export function numberText(value: number, locale: string, format: NumberFormat = 'number_with_commas'): string {
  const make = (): Intl.NumberFormat => new Intl.NumberFormat(locale, FORMATS[format] ?? PLAIN)
  return formatters.get(`${locale} ${format}`, make).format(value)
}
