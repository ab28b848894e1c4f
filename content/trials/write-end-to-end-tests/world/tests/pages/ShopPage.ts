import { expect, type Locator, type Page } from '@playwright/test';

export class ShopPage {
  readonly basketLink: Locator;

  constructor(readonly page: Page) {
    this.basketLink = page.getByRole('link', { name: 'Basket' });
  }

  async signIn(name: string) {
    await this.page.goto('/');
    await this.page.getByLabel('Name').fill(name);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await expect(this.basketLink).toHaveText('Basket (0)');
  }

  async add(product: string, count = 1) {
    for (let n = 1; n <= count; n++) {
      await this.page.getByRole('button', { name: `Add ${product}` }).click();
      await expect(this.basketLink).toHaveText(`Basket (${n})`);
    }
  }
}
