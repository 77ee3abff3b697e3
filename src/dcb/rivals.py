"""Names of things of which one usually picks one, as data: a later choice replaces the earlier.

Lower case; a name stands in one group. Only names that mean one thing are listed.
"""

from __future__ import annotations

_GROUPS: dict[str, str] = {
    "database": "mysql postgres postgresql pg mariadb sqlite mongodb oracle cockroachdb tidb "
    "clickhouse duckdb dynamodb cassandra oceanbase",
    "cache": "redis memcached valkey dragonfly caffeine",
    "queue": "kafka rabbitmq nats pulsar rocketmq activemq sqs celery",
    "language": "python java kotlin golang rust typescript javascript ruby php scala elixir swift",
    "web framework": "django flask fastapi starlette express nestjs koa gin spring rails laravel "
    "hono axum actix",
    "front end": "react vue svelte angular solidjs preact htmx",
    "package manager": "npm pnpm yarn bun",
    "python packaging": "pip poetry pipenv uv conda pdm",
    "cloud": "aws azure gcp aliyun 阿里云 腾讯云 华为云",
    "orchestration": "kubernetes k8s nomad swarm",
    "search": "elasticsearch opensearch meilisearch typesense solr",
    "api": "graphql grpc rest",
    "style sheets": "tailwind bootstrap bulma",
    "tests": "jest vitest mocha pytest unittest",
    "bundler": "webpack vite rollup esbuild parcel",
    "licence": "mit apache-2.0 gpl agpl bsd",
    "theme": "深色 浅色",
    "answer language": "中文 英文 日文 english chinese japanese",
}

GROUP_OF: dict[str, str] = {
    name: group for group, names in _GROUPS.items() for name in names.split()
}
