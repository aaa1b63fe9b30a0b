'use strict'
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

process.argv[1] = join(__dirname, '../cli/main.js')
import(pathToFileURL(process.argv[1]).href)
