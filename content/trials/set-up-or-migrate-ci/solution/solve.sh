#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A caller of the shared workflow, a job for each stage.
set -euo pipefail
cat > .github/workflows/orders.yml <<'YML'
name: orders
on:
  push:
    branches: [main, "release/*"]
    tags: ["v*"]
  pull_request:
    branches: [main, "release/*"]
  schedule:
    - cron: "30 1 * * 1-5"
  workflow_dispatch:
    inputs:
      CHANNEL:
        type: choice
        options: [stable, beta, nightly]
        default: stable
      DRY_RUN:
        type: boolean
        default: false
permissions:
  contents: read
concurrency:
  group: orders-${{ github.ref }}
  cancel-in-progress: false
jobs:
  lint:
    uses: ./.github/workflows/service.yml
    with:
      command: ./ci/lint.sh --strict orders tests
      runner: ubuntu-latest
      minutes: 20
      environment: PYTHONHASHSEED=0
  unit:
    needs: lint
    uses: ./.github/workflows/service.yml
    with:
      command: ./ci/test.sh tests/unit reports/unit.xml
      minutes: 20
      environment: |
        ORDERS_REGION=at
        PYTHONHASHSEED=0
      artifact-name: unit
      artifact-path: reports/*.xml
      retention-days: 30
  integration:
    needs: unit
    uses: ./.github/workflows/service.yml
    with:
      command: ./ci/test.sh tests/integration reports/integration.xml --run-slow
      minutes: 20
      environment: |
        ORDERS_REGION=at
        PYTHONHASHSEED=0
      artifact-name: integration
      artifact-path: reports/*.xml
      retention-days: 30
  package:
    needs: integration
    uses: ./.github/workflows/service.yml
    with:
      command: ./ci/package.sh --notes --epoch 1700000000
      minutes: 20
      environment: |
        ORDERS_REGION=at
        PYTHONHASHSEED=0
        CHANNEL=${{ github.event_name == 'schedule' && 'nightly' || inputs.CHANNEL || 'stable' }}
      artifact-name: dist
      artifact-path: dist/*.tar.gz
      retention-days: 30
  publish:
    needs: package
    if: startsWith(github.ref, 'refs/tags/v')
    uses: ./.github/workflows/service.yml
    with:
      command: ./ci/publish.sh --verify
      minutes: 20
      download: true
      environment: |
        CHANNEL=${{ inputs.CHANNEL || 'stable' }}
        DRY_RUN=${{ inputs.DRY_RUN || 'false' }}
        PYTHONHASHSEED=0
        ORDERS_REGION=at
    secrets:
      deploy-key: ${{ secrets.ORDERS_DEPLOY_KEY }}
YML
python3 "$SHARED/papers.py" .github/workflows/orders.yml .github/workflows/service.yml
