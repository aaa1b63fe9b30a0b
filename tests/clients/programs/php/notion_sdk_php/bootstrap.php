<?php

// The suite's own classes, which its package loads only where it is developed.
$loader = require __DIR__ . '/vendor/autoload.php';
$loader->addPsr4('Notion\\Test\\', __DIR__ . '/vendor/mariosimao/notion-sdk-php/tests/');
