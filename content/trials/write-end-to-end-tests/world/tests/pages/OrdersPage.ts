import type { Locator, Page } from '@playwright/test';

export class OrdersPage {
  readonly none: Locator;

  constructor(readonly page: Page) {
    this.none = page.getByText('No orders yet.');
  }

  async open() {
    await this.page.goto('/orders');
  }

  row(number: string) {
    return this.page.getByRole('row').filter({ hasText: number });
  }
}
