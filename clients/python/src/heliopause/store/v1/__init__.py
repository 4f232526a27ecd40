"""Messages of the contract. Generated."""
