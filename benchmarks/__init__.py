"""What a call costs, measured beside a bare Django view and two other MCP servers.

``scripts/bench`` runs all of it in one go. In every round each contender gets a fresh
server on a core of its own, answers one request, which is checked, is warmed up, and is
then loaded by wrk from another core: 16 connections, one worker. Odd rounds go through
the contenders backwards. Ours is compared with another within a round, and the medians
over the rounds are held to the bars: a machine that slows down in between slows both.

What stands beside ours, and how it is set up:

- *bare view*: a Django view that parses the message, adds, and answers the same bytes,
  under the same server, with the same settings and without middleware. Its JSON is the
  standard library's, as Django's own; rows show it with orjson too, without a bar.
- *django-mcpz* 1.2.0: its documentation's set-up, under the same servers.
- *SDK*: the official ``mcp`` 2.3.0 over streamable HTTP, stateless, with JSON answers and
  coroutines for tools, under the uvicorn that it brings (asyncio and h11). A row shows it
  on uvloop and httptools too, without a bar.

A server that is measured never shares an environment with another (``.bench/``); where
two have a package in common they have the same version of it.
"""
