#!/usr/bin/env node
// Starts the command line on a Node.js that can run it: this one, or the one that npm installed with the project.
// Written so that any release of Node.js understands it.
'use strict'
var childProcess = require('child_process')
var fs = require('fs')
var path = require('path')

var OLDEST = require('./oldest_node.json')
var pinned = path.join(__dirname, '../node_modules/node/bin/node')
var release = process.versions.node.split('.').map(Number)
var isOld = release[0] < OLDEST[0] || (release[0] === OLDEST[0] && release[1] < OLDEST[1])

if (!isOld) {
  // In a file of its own, because old releases cannot parse its syntax.
  require('./start.cjs')
} else if (fs.existsSync(pinned)) {
  runPinned()
} else {
  process.stderr.write(
    'error: workspace-service needs Node.js ' + OLDEST.join('.') + ' or newer; this is ' + process.versions.node + '.\n',
  )
  process.exit(1)
}

function runPinned() {
  var child = childProcess.spawn(pinned, [__filename].concat(process.argv.slice(2)), { stdio: 'inherit' })
  // A terminal sends its signals to the child as well; others come to this process alone.
  ;['SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal)
    })
  })
  process.on('SIGINT', function () {})
  child.on('exit', function (code, signal) {
    if (signal === null) process.exit(code === null ? 1 : code)
    process.kill(process.pid, signal)
  })
  child.on('error', function (error) {
    process.stderr.write('error: ' + error.message + '\n')
    process.exit(1)
  })
}
